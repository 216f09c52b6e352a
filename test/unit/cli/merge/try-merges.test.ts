import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conflict, MergeReason } from '../../../../src/cli/merge/merge-result.ts'
import { tryMerges } from '../../../../src/cli/merge/try-merges.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

interface Case {
  name: string
  pull: number
  work: (clone: TestClone) => void
  conflicts: Conflict[]
}

const inFile = (path: string, type: Conflict['type'], removed_by: Conflict['removed_by'] = null) => [
  { path, type, removed_by },
]
const cases: Case[] = [
  {
    name: 'the same line',
    pull: 1,
    work: (clone) => clone.write('a.txt', lines({ 5: 'mine' })),
    conflicts: inFile('a.txt', 'contents'),
  },
  { name: 'distant lines', pull: 2, work: (clone) => clone.write('a.txt', lines({ 5: 'mine' })), conflicts: [] },
  { name: 'no work', pull: 1, work: () => {}, conflicts: [] },
  {
    name: 'a staged change',
    pull: 1,
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.git('add', '-A')
    },
    conflicts: inFile('a.txt', 'contents'),
  },
  {
    name: 'a commit',
    pull: 1,
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.git('commit', '-qam', 'mine')
    },
    conflicts: inFile('a.txt', 'contents'),
  },
  {
    name: 'a file that they remove and I change',
    pull: 3,
    work: (clone) => clone.write('removed.txt', lines({ 5: 'mine' })),
    conflicts: inFile('removed.txt', 'modify_delete', 'they'),
  },
  {
    name: 'a file that I remove and they change',
    pull: 1,
    work: (clone) => unlinkSync(join(clone.top, 'a.txt')),
    conflicts: inFile('a.txt', 'modify_delete', 'you'),
  },
  {
    name: 'a binary file',
    pull: 4,
    work: (clone) => clone.write('logo.png', 'a\0mine'),
    conflicts: inFile('logo.png', 'binary'),
  },
  {
    name: 'a file that both add',
    pull: 5,
    work: (clone) => clone.write('added.txt', 'mine\n'),
    conflicts: inFile('added.txt', 'add_add'),
  },
  {
    name: 'a file that both rename',
    pull: 6,
    work: (clone) => renameSync(join(clone.top, 'both.txt'), join(clone.top, 'both-mine.txt')),
    conflicts: ['both-mine.txt', 'both-theirs.txt', 'both.txt'].flatMap((path) => inFile(path, 'rename')),
  },
  {
    name: 'a file that they rename and both change',
    pull: 7,
    work: (clone) => clone.write('renamed.txt', lines({ 5: 'mine' })),
    conflicts: inFile('renamed-theirs.txt', 'contents'),
  },
  {
    name: 'a file where I have a directory',
    pull: 8,
    work: (clone) => clone.write('place/mine.txt', 'mine\n'),
    conflicts: inFile('place', 'file_directory'),
  },
  {
    name: 'a name with a line feed',
    pull: 9,
    work: (clone) => clone.write('new\nline.txt', lines({ 5: 'mine' })),
    conflicts: inFile('new\nline.txt', 'contents'),
  },
  {
    name: 'a link that both have committed',
    pull: 10,
    work(clone) {
      unlinkSync(join(clone.top, 'link'))
      symlinkSync('mine', join(clone.top, 'link'))
      clone.git('commit', '-qam', 'mine')
    },
    conflicts: inFile('link', 'contents'),
  },
  {
    name: 'a submodule that both have moved',
    pull: 11,
    work(clone) {
      clone.git('update-index', '--cacheinfo', `160000,${'3'.repeat(40)},library`)
      clone.git('commit', '-qm', 'mine')
    },
    conflicts: inFile('library', 'submodule'),
  },
  {
    name: 'a file whose mode I change, and whose lines they change',
    pull: 1,
    work: (clone) => chmodSync(join(clone.top, 'a.txt'), 0o755),
    conflicts: [],
  },
  {
    name: 'a file whose mode and line I change',
    pull: 1,
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      chmodSync(join(clone.top, 'a.txt'), 0o755)
    },
    conflicts: inFile('a.txt', 'contents'),
  },
  {
    name: 'line ends that git converts, and one changed line',
    pull: 13,
    work(clone) {
      clone.git('config', 'core.autocrlf', 'input')
      clone.git('config', 'core.safecrlf', 'true')
      clone.write('crlf.txt', lines({ 15: 'mine' }, '\r\n'))
    },
    conflicts: [],
  },
]

describe('a tried merge', () => {
  it.for(cases)('tells the conflicts of $name, and leaves nothing', async ({ pull: number, work, conflicts }) => {
    const clone = scene.clone()
    work(clone)
    const before = clone.listing()
    const { target, byNumber } = await clone.try([number])
    const sorted = byNumber[number]?.conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    expect({ merge: byNumber[number]?.merge, conflicts: sorted }).toEqual({
      merge: conflicts.length > 0 ? 'conflicts' : 'clean',
      conflicts,
    })
    expect(target).toEqual({ branch: 'main', sha: scene.server.commitOf('refs/heads/main'), merge: 'clean', paths: [] })
    expect(clone.listing()).toEqual(before)
  })

  it('takes the newest head by number, by branch or by commit, and says which one it was', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { server } = scene
    const [newest, branch] = [server.commitOf('refs/pull/1/head'), server.commitOf('refs/heads/feat/x')]
    const base = { ...pull(1), number: null }
    const { results } = await tryMerges(
      clone.question([
        { ...pull(1), head_sha: newest },
        { ...pull(1), activity_id: 'moved', head_sha: branch },
        { ...base, activity_id: 'branch', branch: 'feat/x', head_sha: null },
        { ...base, activity_id: 'commit', head_sha: newest },
      ]),
    )
    expect(
      results.map((result) => [result.activity_id, result.merge, result.head_sha, result.has_known_lines]),
    ).toEqual([
      ['1', 'conflicts', newest, true],
      ['moved', 'conflicts', newest, false],
      ['branch', 'conflicts', branch, false],
      ['commit', 'conflicts', newest, true],
    ])
  })

  it('leaves out the files in which one side conflicts with the target branch alone', async () => {
    const clone = scene.clone()
    clone.write('main.txt', lines({ 10: 'mine' }))
    clone.write('b.txt', lines({ 15: 'mine' }))
    const mine = await clone.try([2, 12])
    expect(mine.target).toMatchObject({ merge: 'conflicts', paths: ['main.txt'] })
    expect(mine.byNumber[2]).toMatchObject({ merge: 'clean' })
    expect(mine.byNumber[12]).toMatchObject({ merge: 'not_tried', merge_reason: 'target', merge_paths: [] })
    clone.write('b.txt', lines({ 5: 'mine' }))
    expect((await clone.try([12])).byNumber[12]).toMatchObject({ merge: 'conflicts', merge_paths: ['b.txt'] })
    clone.write('main.txt', lines({ 1: 'mine' }))
    clone.write('b.txt', lines())
    const changedPaths = new Set(['main.txt'])
    const theirs = await clone.try([12], undefined, { changedPaths })
    expect(theirs.target.merge).toBe('clean')
    expect(theirs.byNumber[12]).toMatchObject({ merge: 'not_tried', merge_reason: 'target' })
  })

  it('tries the others where one head is gone, unknown or has nothing in common', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const gone = { ...pull(1), number: null }
    const { results } = await tryMerges(
      clone.question([
        { ...gone, activity_id: 'branch', branch: 'feat/gone' },
        { ...gone, activity_id: 'commit', head_sha: '1'.repeat(40) },
        { ...gone, activity_id: 'bad name', branch: 'feat/..' },
        { ...gone, activity_id: 'no head' },
        { ...pull(1), activity_id: 'other base', base_branch: 'next' },
        pull(17),
        pull(1),
        pull(2),
      ]),
    )
    expect(results.map(({ activity_id, merge, merge_reason }) => [activity_id, merge, merge_reason])).toEqual([
      ['branch', 'not_tried', 'head_gone'],
      ['commit', 'not_tried', 'head_gone'],
      ['bad name', 'not_tried', 'not_pushed'],
      ['no head', 'not_tried', 'not_pushed'],
      ['other base', 'not_tried', 'target'],
      ['17', 'not_tried', 'shallow'],
      ['1', 'conflicts', null],
      ['2', 'clean', null],
    ])
  })

  const untried: [string, MergeReason, (clone: TestClone) => void][] = [
    ['in the middle of a merge', 'in_progress', ({ top }) => writeFileSync(join(top, '.git/MERGE_HEAD'), '')],
    ['in the middle of a rebase', 'in_progress', ({ top }) => mkdirSync(join(top, '.git/rebase-merge'))],
    ['without a commit', 'no_commit', (clone) => clone.git('checkout', '-q', '--orphan', 'new')],
    ['without an index', 'no_commit', ({ top }) => rmSync(join(top, '.git/index'))],
    ['in a shallow clone', 'shallow', ({ top }) => writeFileSync(join(top, '.git/shallow'), `${'1'.repeat(40)}\n`)],
    ['with an index over 32 MB', 'too_large', ({ top }) => truncateSync(join(top, '.git/index'), 33 * 1024 * 1024)],
    ['with a broken setting', 'failed', ({ top }) => writeFileSync(join(top, '.git/config'), '[')],
  ]
  it.for(untried)('is not tried %s', async ([, reason, work]) => {
    const clone = scene.clone()
    work(clone)
    const before = clone.listing()
    scene.server.requests.length = 0
    const { target, byNumber } = await clone.try([1])
    expect([target.merge, byNumber[1]?.merge, byNumber[1]?.merge_reason]).toEqual(['not_tried', 'not_tried', reason])
    expect(scene.server.requests).toEqual([])
    expect(clone.listing()).toEqual(before)
  })

  it('is not tried on Windows, into a branch that is none, or into one that is gone', async () => {
    const clone = scene.clone()
    const reasonOf = async (changes: Parameters<TestClone['question']>[1]) =>
      (await clone.try([1], undefined, changes)).byNumber[1]?.merge_reason
    const { terminal } = clone.question([])
    expect(await reasonOf({ terminal: { ...terminal, platform: 'win32' } })).toBe('platform')
    expect(await reasonOf({ baseBranch: '-x y' })).toBe('target')
    expect(
      (await tryMerges(clone.question([{ ...pull(1), base_branch: 'gone' }], { baseBranch: 'gone' }))).results,
    ).toMatchObject([{ merge: 'not_tried', merge_reason: 'target' }])
  })

  it('keeps to the number of heads, closest first', async () => {
    const clone = scene.clone()
    const limits = { milliseconds: 60_000, heads: 2, bytes: 20_000_000 }
    const { byNumber } = await clone.try([3, 2, 1], undefined, { limits })
    expect([3, 2, 1].map((number) => byNumber[number]?.merge_reason)).toEqual([null, null, 'too_many'])
  })

  it('leaves out links, other repositories, large files and names that are not UTF-8', async () => {
    const clone = scene.clone()
    unlinkSync(join(clone.top, 'a.txt'))
    symlinkSync('b.txt', join(clone.top, 'a.txt'))
    clone.write('logo.png', Buffer.alloc(9_000_000))
    // A directory that became a link: git itself refuses the paths behind it.
    rmSync(join(clone.top, 'dir'), { recursive: true })
    mkdirSync(join(clone.top, 'nested'))
    clone.git('init', '-q', 'nested')
    writeFileSync(Buffer.from(`${clone.top}/\xff`, 'latin1'), 'mine\n')
    symlinkSync('nested', join(clone.top, 'dir'))
    clone.write('b.txt', lines({ 5: 'mine' }))
    const { byNumber } = await clone.try([1, 4, 12, 2, 3])
    expect(byNumber[1]).toMatchObject({ merge: 'not_tried', merge_reason: 'file_kind' })
    expect(byNumber[4]).toMatchObject({ merge: 'not_tried', merge_reason: 'too_large' })
    expect(byNumber[12]).toMatchObject({ merge: 'conflicts', merge_paths: ['b.txt'] })
    expect(byNumber[3]).toMatchObject({ merge: 'clean' })
    const { results } = await tryMerges(clone.question([{ ...pull(3), files: null }]))
    expect(results[0]).toMatchObject({ merge: 'not_tried' })
  })

  it('does not fetch large files of others, and says so where a merge needs one', async () => {
    const clone = scene.clone()
    clone.write('big.txt', lines({ 5: 'mine' }))
    const { byNumber } = await clone.try([16, 1])
    expect(byNumber[16]).toMatchObject({ merge: 'not_tried', merge_reason: 'too_large' })
    expect(byNumber[1]).toMatchObject({ merge: 'clean' })
  })

  it('gives up on too many bytes', async () => {
    const clone = scene.clone()
    const limits = { milliseconds: 60_000, heads: 20, bytes: 10 }
    const { byNumber } = await clone.try([1], undefined, { limits })
    expect(byNumber[1]).toMatchObject({ merge: 'not_tried', merge_reason: 'too_large' })
  })
})

describe('a file that the head of somebody outside of the project alone has', () => {
  const outside = (number: number) => ({ ...pull(number), hides_words: true })

  it('is told without its name, and with the directory that the own work names', async () => {
    const clone = scene.clone()
    renameSync(join(clone.top, 'both.txt'), join(clone.top, 'both-mine.txt'))
    const changedPaths = new Set(['both.txt', 'both-mine.txt'])
    const { results } = await clone.tryAll([{ ...outside(6), files: [] }], undefined, { changedPaths })
    expect(results).toMatchObject([
      { merge: 'conflicts', merge_paths: ['both-mine.txt', 'both.txt'], merge_paths_total: 3 },
    ])
    const told = results[0]?.conflicts.filter(({ unnamed }) => unnamed)
    expect(told).toEqual([{ path: 'both-theirs.txt', type: 'rename', removed_by: null, unnamed: { below: null } }])
  })

  it('is told by the name that it has here, where they rename it', async () => {
    const clone = scene.clone()
    clone.write('renamed.txt', lines({ 5: 'mine' }))
    const files = [{ path: 'renamed-theirs.txt', previous_path: 'renamed.txt', is_ignored: false }]
    const changedPaths = new Set(['renamed.txt'])
    const { results } = await clone.tryAll([{ ...outside(7), files }], undefined, { changedPaths })
    expect(results).toMatchObject([{ merge: 'conflicts', merge_paths: ['renamed.txt'] }])
  })
})
