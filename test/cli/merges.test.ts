import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Git } from '../../src/cli/git/git.ts'
import { readOwnWork } from '../../src/cli/merge/own-work.ts'
import { tryMerges } from '../../src/cli/merge/try-merges.ts'
import { serverToken } from './merge-scene/git-server.ts'
import { candidateOf, lines, type TestClone, useScene } from './merge-scene/scene.ts'

const scene = useScene()

interface Case {
  name: string
  pull: number
  work: (clone: TestClone) => void
  conflicts: string[]
}

const cases: Case[] = [
  { name: 'the same line', pull: 1, work: (clone) => clone.write('a.txt', lines({ 5: 'mine' })), conflicts: ['a.txt'] },
  { name: 'distant lines', pull: 2, work: (clone) => clone.write('a.txt', lines({ 5: 'mine' })), conflicts: [] },
  { name: 'no work', pull: 1, work: () => {}, conflicts: [] },
  {
    name: 'a staged change',
    pull: 1,
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.git('add', '-A')
    },
    conflicts: ['a.txt'],
  },
  {
    name: 'a commit',
    pull: 1,
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.git('commit', '-qam', 'mine')
    },
    conflicts: ['a.txt'],
  },
  {
    name: 'a file that they remove and I change',
    pull: 3,
    work: (clone) => clone.write('removed.txt', lines({ 5: 'mine' })),
    conflicts: ['removed.txt'],
  },
  {
    name: 'a file that I remove and they change',
    pull: 1,
    work: (clone) => unlinkSync(join(clone.top, 'a.txt')),
    conflicts: ['a.txt'],
  },
  { name: 'a binary file', pull: 4, work: (clone) => clone.write('logo.png', 'a\0mine'), conflicts: ['logo.png'] },
  {
    name: 'an untracked file that both add',
    pull: 5,
    work: (clone) => clone.write('added.txt', 'mine\n'),
    conflicts: ['added.txt'],
  },
  {
    name: 'a file that both rename',
    pull: 6,
    work: (clone) => renameSync(join(clone.top, 'both.txt'), join(clone.top, 'both-mine.txt')),
    conflicts: ['both-mine.txt', 'both-theirs.txt', 'both.txt'],
  },
  {
    name: 'a file that they rename and both change',
    pull: 7,
    work: (clone) => clone.write('renamed.txt', lines({ 5: 'mine' })),
    conflicts: ['renamed-theirs.txt'],
  },
  {
    name: 'a name with a line feed',
    pull: 9,
    work: (clone) => clone.write('new\nline.txt', lines({ 5: 'mine' })),
    conflicts: ['new\nline.txt'],
  },
  {
    name: 'a link that both have committed',
    pull: 10,
    work(clone) {
      unlinkSync(join(clone.top, 'link'))
      symlinkSync('mine', join(clone.top, 'link'))
      clone.git('commit', '-qam', 'mine')
    },
    conflicts: ['link'],
  },
  {
    name: 'a submodule that both have moved',
    pull: 11,
    work(clone) {
      clone.git('update-index', '--cacheinfo', `160000,${'3'.repeat(40)},library`)
      clone.git('commit', '-qm', 'mine')
    },
    conflicts: ['library'],
  },
  {
    name: 'a file whose mode I change, and whose lines they change',
    pull: 1,
    work: (clone) => chmodSync(join(clone.top, 'a.txt'), 0o755),
    conflicts: [],
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
  {
    name: 'a file in another encoding, which git converts',
    pull: 2,
    work(clone) {
      clone.write('.gitattributes', 'a.txt working-tree-encoding=UTF-16\n')
      clone.write('a.txt', Buffer.from(`\ufeff${lines({ 5: 'mine' })}`, 'utf16le'))
    },
    conflicts: [],
  },
]

describe('§14 a tried merge', () => {
  it.for(cases)('tells the conflicts of $name, and leaves nothing', async ({ pull, work, conflicts }) => {
    const clone = scene().clone()
    work(clone)
    const before = clone.listing()
    const { [pull]: tried } = await clone.try([pull])
    expect({ ...tried, conflicts: tried?.conflicts?.toSorted() }).toEqual({
      activity_id: `${pull}`,
      conflicts,
      reason: null,
    })
    expect(clone.listing()).toEqual(before)
  })

  it('tells a file where I have a directory', async () => {
    const clone = scene().clone()
    clone.write('place/mine.txt', 'mine\n')
    // Git invents a name for the file.
    expect((await clone.try([8]))[8]?.conflicts).toEqual([expect.stringMatching(/^place~/)])
  })

  it('leaves out the files in which one side conflicts with the target branch alone', async () => {
    const clone = scene().clone()
    clone.write('main.txt', lines({ 10: 'mine' }))
    clone.write('b.txt', lines({ 15: 'mine' }))
    const reason = 'a file that both change conflicts with the target branch'
    expect(await clone.try([2, 12])).toMatchObject({ 2: { conflicts: [] }, 12: { conflicts: null, reason } })
    clone.write('b.txt', lines({ 5: 'mine' }))
    expect(await clone.try([12])).toMatchObject({ 12: { conflicts: ['b.txt'] } })
    clone.write('main.txt', lines({ 1: 'mine' }))
    clone.write('b.txt', lines())
    expect(await clone.try([12])).toMatchObject({ 12: { conflicts: null, reason } })
  })

  it('tries the others where one head is unknown to the server or has nothing in common', async () => {
    const clone = scene().clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { server } = scene()
    const unknown = (digit: string) => ({ activity_id: digit, head_sha: digit.repeat(40), paths: [], hasMore: false })
    const candidates = [unknown('e'), ...[17, 1, 2].map((number) => candidateOf(server, number)), unknown('f')]
    const own = await clone.ownWork([])
    const remote = { url: server.url, token: serverToken, target: 'main' }
    const tried = await tryMerges(own, candidates, remote, AbortSignal.timeout(60_000))
    const gone = { conflicts: null, reason: 'their commits are not on the remote' }
    expect(Object.fromEntries(tried.map(({ activity_id, ...one }) => [activity_id, one]))).toEqual({
      ...{ e: gone, f: gone, 17: { conflicts: null, reason: 'git could not merge them' } },
      ...{ 1: { conflicts: ['a.txt'], reason: null }, 2: { conflicts: [], reason: null } },
    })
  })

  it('leaves out links, large files, what is behind a link, other repositories and names that are not UTF-8', async () => {
    const clone = scene().clone()
    unlinkSync(join(clone.top, 'a.txt'))
    symlinkSync('b.txt', join(clone.top, 'a.txt'))
    clone.write('logo.png', Buffer.alloc(9_000_000))
    rmSync(join(clone.top, 'dir'), { recursive: true })
    mkdirSync(join(clone.top, 'nested'))
    clone.git('init', '-q', 'nested')
    writeFileSync(Buffer.from(`${clone.top}/\xff`, 'latin1'), 'mine\n')
    symlinkSync('nested', join(clone.top, 'dir'))
    clone.write('b.txt', lines({ 5: 'mine' }))
    const reason = 'a file that both change is large, filtered, a link or a submodule'
    expect(await clone.try([1, 4, 12, 3])).toMatchObject({
      ...{ 1: { conflicts: null, reason }, 4: { conflicts: null, reason } },
      ...{ 12: { conflicts: ['b.txt'] }, 3: { conflicts: [] } },
    })
  })

  it('leaves out files with a filter, committed ones too', async () => {
    const clone = scene().clone()
    clone.git('config', 'filter.some.clean', 'cat')
    writeFileSync(join(clone.top, '.git/info/attributes'), 'a.txt filter=some\n')
    clone.write('a.txt', lines({ 5: 'mine' }))
    clone.git('commit', '-qam', 'mine')
    expect(await clone.try([1, 3])).toMatchObject({ 1: { conflicts: null }, 3: { conflicts: [] } })
  })

  it('does not fetch large files of others, and says nothing of a merge that needs one', async () => {
    const clone = scene().clone()
    clone.write('big.txt', lines({ 5: 'mine' }))
    expect(await clone.try([16, 1])).toMatchObject({ 16: { conflicts: null }, 1: { conflicts: [] } })
  })

  const untried: [string, RegExp, (clone: TestClone) => void][] = [
    ['without a commit', /no commit yet/, (clone) => clone.git('checkout', '-q', '--orphan', 'new')],
    ['in a shallow clone', /shallow/, ({ top }) => writeFileSync(join(top, '.git/shallow'), `${'1'.repeat(40)}\n`)],
    [
      'while a conflict waits',
      /waits here/,
      (clone) => {
        clone.git('checkout', '-qb', 'other')
        clone.write('a.txt', lines({ 5: 'other' }))
        clone.git('commit', '-qam', 'other')
        clone.git('checkout', '-q', 'old')
        clone.write('a.txt', lines({ 5: 'mine' }))
        clone.git('commit', '-qam', 'mine')
        expect(() => clone.git('merge', 'other')).toThrow()
      },
    ],
  ]
  it.for(untried)('is not tried %s', async ([, reason, work]) => {
    const clone = scene().clone()
    work(clone)
    const before = clone.listing()
    scene().server.requests.length = 0
    await expect(clone.try([1])).rejects.toThrow(reason)
    expect(scene().server.requests).toEqual([])
    expect(clone.listing()).toEqual(before)
  })

  it('is not tried with an older git', async () => {
    const tree = await scene().clone().tree()
    const stdout = 'git version 2.38.1\n'
    const git: Git = async (args) => (args[0] === 'version' ? { code: 0, stdout, stderr: '' } : tree.git(args))
    await expect(readOwnWork({ ...tree, git }, [], [])).rejects.toThrow('git 2.39 or newer is needed')
  })
})
