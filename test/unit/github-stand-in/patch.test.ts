import { describe, expect, it } from 'vitest'
import { githubFileChange } from '../../../src/core/changes/github-file.ts'
import { addRepository, emptyData } from '../../support/github/build-data.ts'
import { changedFile, type FileInput, withTexts } from '../../support/github/changed-files.ts'
import { patchOfTexts } from '../../support/github/patch.ts'
import type { ChangedFile } from '../../support/github/pull-data.ts'
import { addRecordedPulls, readRecordedPulls } from '../../support/github/recorded-pulls.ts'

const patchOf = (input: Omit<FileInput, 'path'>) => changedFile({ path: 'a.ts', ...input }).patch

/** The changed lines as the product reads them. */
const linesIn = ({ path, status, additions, deletions, patch }: ChangedFile) =>
  githubFileChange({ filename: path, status, additions, deletions, ...(patch === null ? {} : { patch }) }).lines

describe('a patch that is made from lines', () => {
  it('has three lines of context, and one hunk for lines whose context touches', () => {
    const patch = patchOf({
      lines: [
        [5, 5],
        [12, 12],
        [20, 22],
      ],
    })
    expect(patch?.match(/^@@.*/gm)).toEqual(['@@ -2,14 +2,14 @@', '@@ -17,9 +17,9 @@'])
    expect(patchOf({ lines: [[2, 2]] })).toBe(
      '@@ -1,5 +1,5 @@\n line 1\n-line 2\n+new line 2\n line 3\n line 4\n line 5',
    )
  })

  it('inserts after line n for [n, n + 1], and shifts the new side', () => {
    const patch = patchOf({
      lines: [
        [5, 6],
        [50, 50],
      ],
    })
    expect(patch?.match(/^@@.*/gm)).toEqual(['@@ -3,6 +3,7 @@', '@@ -47,7 +48,7 @@'])
    expect(patch).toContain(' line 5\n+new line 6\n line 6')
  })

  it('is a whole file for one that is added or removed', () => {
    expect(patchOf({ status: 'added', lines: [[0, 1]] })).toBe('@@ -0,0 +1 @@\n+new line 1')
    expect(patchOf({ status: 'removed', lines: [[1, 2]] })).toBe('@@ -1,2 +0,0 @@\n-line 1\n-line 2')
  })

  it('is null for a binary file, and for a patch that is too large', () => {
    expect(changedFile({ path: 'logo.png' })).toMatchObject({ status: 'modified', patch: null, additions: 0 })
    expect(changedFile({ path: 'a.ts', additions: 9_000 })).toMatchObject({ patch: null, additions: 9_000 })
  })

  it('counts its lines, and a given patch is taken as it is', () => {
    expect(
      changedFile({
        path: 'a.ts',
        lines: [
          [1, 4],
          [9, 10],
        ],
      }),
    ).toMatchObject({ additions: 5, deletions: 4 })
    const patch = '@@ -1 +1,2 @@\n-a\n+b\n+c'
    expect(changedFile({ path: 'a.ts', patch })).toMatchObject({ patch, additions: 2, deletions: 1 })
  })
})

describe('a patch between two texts', () => {
  it('changes the lines between the common beginning and end', () => {
    expect(patchOfTexts('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nX\nf\n')).toBe('@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+X\n f')
    expect(patchOfTexts('a\na\n', 'a\na\na\n')).toBe('@@ -1,2 +1,3 @@\n a\n a\n+a')
    expect(patchOfTexts(null, 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b')
    expect(patchOfTexts('a\n', 'a\n')).toBeNull()
  })

  it('says what was added, modified and removed, and forgets what is as before', () => {
    const files = new Map([
      ['kept.ts', 'a\n'],
      ['old.ts', 'a\n'],
    ])
    const first = withTexts([], files, { 'kept.ts': 'b\n', 'new.ts': 'c\n', 'old.ts': null })
    expect(first.map(({ path, status }) => [path, status])).toEqual([
      ['kept.ts', 'modified'],
      ['new.ts', 'added'],
      ['old.ts', 'removed'],
    ])
    expect(withTexts(first, files, { 'kept.ts': 'a\n', 'new.ts': null }).map(({ path }) => path)).toEqual(['old.ts'])
  })
})

it.each(['undici', 'fastify', 'rails'])(
  'the patches of the open pull requests of %s have the recorded lines',
  (name) => {
    const file = new URL(`../../../bench/open-prs/${name}.json.br`, import.meta.url)
    const data = emptyData()
    const pulls = addRecordedPulls(data, addRepository(data, 'acme', name), file)
    expect(pulls.length).toBeGreaterThan(50)
    const recorded = readRecordedPulls(file).map(({ files }) =>
      files.map(({ status, ranges }) => (status === 'added' ? [[0, 1]] : ranges)),
    )
    expect(pulls.map(({ files }) => files.map(linesIn))).toEqual(recorded)
  },
)
