import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedPaths } from '../../../src/core/changes/changed-paths.ts'
import type { FileChange, LineRange } from '../../../src/core/changes/file-change.ts'
import { type KnownChanges, unionOf, unionOfFiles } from '../../../src/core/changes/union.ts'

const readAt = new Date('2026-11-20T09:30:00.000Z')
const laterRead = new Date('2026-11-20T10:30:00.000Z')

function file(
  path: string,
  lines: readonly LineRange[] | null = [[1, 5]],
  change: Partial<FileChange> = {},
): FileChange {
  return { path, previous_path: null, status: 'modified', lines, ...change }
}

function known(by: KnownChanges['by'], files: FileChange[], rest: Partial<KnownChanges> = {}): KnownChanges {
  return { by, head_sha: `${by} head`, files, files_total: files.length, read_at: readAt, ...rest }
}

describe('the union of what GitHub and the client say', () => {
  it('is null where both are null, and one of the two where the other is null', () => {
    const github = known('github', [file('a')])
    const client = known('client', [file('b')])
    expect(unionOf(null, null)).toBeNull()
    expect(unionOf(github, null)).toBe(github)
    expect(unionOf(null, client)).toBe(client)
  })

  it('has each path once, sorted, with the commit and the time of GitHub', () => {
    const github = known('github', [file('b'), file('a')])
    const client = known('client', [file('c'), file('b')], { read_at: laterRead })
    expect(unionOf(github, client)).toEqual({
      by: 'both',
      head_sha: 'github head',
      files: [file('a'), file('b'), file('c')],
      files_total: 3,
      read_at: readAt,
    })
  })

  it('is still by GitHub where two pull requests are joined', () => {
    expect(unionOf(known('github', [file('a')]), known('github', [file('b')]))?.by).toBe('github')
  })

  it('counts the files that GitHub did not list', () => {
    expect(
      unionOf(known('github', [file('a')], { files_total: 4000 }), known('client', [file('b')]))?.files_total,
    ).toBe(4000)
  })

  it('has the lines of both, each range once', () => {
    const lines: LineRange[] = [
      [20, 30],
      [1, 5],
    ]
    const union = [
      [1, 5],
      [3, 4],
      [20, 30],
    ]
    expect(unionOfFiles([file('a', lines)], [file('a', [...lines, [3, 4]])])[0]?.lines).toEqual(union)
  })

  it('keeps apart an insertion and two replaced lines at one place, whatever the other side says', () => {
    const replaced = file('a', [[5, 6]], { inserts: [] })
    const inserted = file('a', [
      [1, 2],
      [5, 6],
    ])
    const [union] = unionOfFiles([replaced], [inserted])
    expect(union).toMatchObject({
      lines: [
        [1, 2],
        [5, 6],
        [5, 6],
      ],
      inserts: [0, 2],
    })
    expect(unionOfFiles([replaced], [file('a', null)])).toEqual([replaced])
    expect(unionOfFiles([file('a', null, { inserts: [] })], [file('a', [[5, 6]])])[0]?.inserts).toBeUndefined()
  })

  it('has the lines of one where the other has none', () => {
    expect(unionOfFiles([file('a', null)], [file('a')])).toEqual([file('a')])
    expect(unionOfFiles([file('a')], [file('a', null)])).toEqual([file('a')])
    expect(unionOfFiles([file('a', null)], [file('a', null)])).toEqual([file('a', null)])
  })

  it('says of a file that one removes and the other changes that it is removed, and that a rename is one', () => {
    const removed = file('a', [[1, 90]], { status: 'removed' })
    expect(unionOfFiles([file('a')], [removed])[0]).toMatchObject({ status: 'removed' })
    const renamed = file('b', [], { status: 'renamed', previous_path: 'a' })
    const added = file('b', [[0, 1]], { status: 'added' })
    expect(unionOfFiles([added, removed], [renamed])).toEqual([removed, { ...renamed, lines: [[0, 1]] }])
  })

  it('has both old names where the two rename different files to one name', () => {
    const from = (previous_path: string) => file('c', [], { status: 'renamed', previous_path })
    const union = unionOfFiles([from('a')], [from('b')])
    expect(union).toEqual([file('b', null, { status: 'removed' }), from('a')])
  })

  it.each([
    ['both name it', 'x', 'x', 'x'],
    ['both have removed the file', null, null, null],
    ['the two name others', 'x', 'y', undefined],
    ['the client has removed the file', 'x', null, undefined],
    ['the client alone names it, but not GitHub', undefined, 'x', undefined],
    ['GitHub alone names it, and the client knows the same lines', 'x', undefined, 'x'],
    ['neither names one', undefined, undefined, undefined],
  ])('has the blob of a file only where that is sure: %s', (_, github, client, blob) => {
    const [union] = unionOfFiles([file('a', [[1, 5]], { blob: github })], [file('a', [[1, 5]], { blob: client })])
    expect(union?.blob).toBe(blob)
  })

  it('has no blob of a file in which the client knows other lines than GitHub, and names no blob', () => {
    const pushed = file('a', [[1, 5]], { blob: 'x' })
    expect(
      unionOfFiles(
        [pushed],
        [
          file('a', [
            [1, 5],
            [9, 9],
          ]),
        ],
      )[0]?.blob,
    ).toBeUndefined()
    expect(unionOfFiles([pushed], [file('a', null)])[0]?.blob).toBe('x')
    expect(unionOfFiles([{ ...pushed, lines: null }], [file('a')])[0]?.blob).toBeUndefined()
  })

  it('has the blob of a file that one of the two alone changes', () => {
    const [ofGitHub, ofClient] = [file('a', [[1, 5]], { blob: 'x' }), file('b', [[1, 5]], { blob: 'y' })]
    expect(unionOfFiles([ofGitHub], [ofClient])).toEqual([ofGitHub, ofClient])
  })

  it('loses no path and no line of either, and is the same in either order', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const range = fc.tuple(fc.nat(20), fc.nat(5)).map(([first, more]): LineRange => [first + 1, first + 1 + more])
    const change = fc
      .record({
        path: name,
        status: fc.constantFrom('added', 'modified', 'removed', 'renamed'),
        previous: name,
        lines: fc.option(fc.array(range, { maxLength: 3 })),
      })
      .map(
        ({ previous, ...rest }): FileChange => ({
          ...rest,
          previous_path: rest.status === 'renamed' ? previous : null,
        }),
      )
    const files = fc.uniqueArray(change, { selector: ({ path }) => path, maxLength: 4 })
    fc.assert(
      fc.property(files, files, (a, b) => {
        const union = unionOfFiles(a, b)
        expect(new Set(changedPaths(union))).toEqual(new Set([...changedPaths(a), ...changedPaths(b)]))
        expect(union.map(({ path }) => path)).toEqual([...new Set(union.map(({ path }) => path))].sort())
        for (const { path, lines } of [...a, ...b]) {
          const found = union.find((other) => other.path === path)
          if (lines) expect(found?.lines).toEqual(expect.arrayContaining([...lines]))
        }
        expect(changedPaths(unionOfFiles(b, a)).sort()).toEqual(changedPaths(union).sort())
      }),
    )
  })
})
