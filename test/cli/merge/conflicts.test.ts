import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Git } from '../../../src/cli/git/git.ts'
import { mergeCandidates } from '../../../src/cli/merge/merge-candidates.ts'
import { readOwnSide } from '../../../src/cli/merge/own-side.ts'
import { serverToken } from './scene/git-server.ts'
import { candidateOf, lines, type TestClone, useScene } from './scene/scene.ts'

const scene = useScene()

interface Case {
  pull: number
  name: string
  work: (clone: TestClone) => void
  conflicts: string[]
}

/** They don't touch each other, so all are tried at once: first what is committed. */
const cases: Case[] = [
  {
    pull: 10,
    name: 'a link that both have committed',
    work(clone) {
      unlinkSync(join(clone.top, 'link'))
      symlinkSync('mine', join(clone.top, 'link'))
      clone.git('commit', '-qam', 'mine')
    },
    conflicts: ['link'],
  },
  {
    pull: 11,
    name: 'a submodule that both have moved',
    work(clone) {
      clone.git('update-index', '--cacheinfo', `160000,${'3'.repeat(40)},library`)
      clone.git('commit', '-qm', 'mine')
    },
    conflicts: ['library'],
  },
  {
    pull: 1,
    name: 'the same line, staged',
    work(clone) {
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.git('add', 'a.txt')
    },
    conflicts: ['a.txt'],
  },
  { pull: 2, name: 'distant lines', work: () => {}, conflicts: [] },
  {
    pull: 3,
    name: 'a file that they remove and I change',
    work: (clone) => clone.write('removed.txt', lines({ 5: 'mine' })),
    conflicts: ['removed.txt'],
  },
  {
    pull: 14,
    name: 'a file that I remove and they change',
    work: (clone) => unlinkSync(join(clone.top, 'data.bin')),
    conflicts: ['data.bin'],
  },
  { pull: 4, name: 'a binary file', work: (clone) => clone.write('logo.png', 'a\0mine'), conflicts: ['logo.png'] },
  {
    pull: 5,
    name: 'an untracked file that both add',
    work: (clone) => clone.write('added.txt', 'mine\n'),
    conflicts: ['added.txt'],
  },
  {
    pull: 6,
    name: 'a file that both rename',
    work: (clone) => renameSync(join(clone.top, 'both.txt'), join(clone.top, 'both-mine.txt')),
    conflicts: ['both-mine.txt', 'both-theirs.txt', 'both.txt'],
  },
  {
    pull: 7,
    name: 'a file that they rename and both change',
    work: (clone) => clone.write('renamed.txt', lines({ 5: 'mine' })),
    conflicts: ['renamed-theirs.txt'],
  },
  {
    pull: 9,
    name: 'a name with a line feed',
    work: (clone) => clone.write('new\nline.txt', lines({ 5: 'mine' })),
    conflicts: ['new\nline.txt'],
  },
  {
    pull: 18,
    name: 'a file that I add to a directory whose files they move away',
    work: (clone) => clone.write('dir/new.txt', 'mine\n'),
    conflicts: ['moved/new.txt'],
  },
  {
    pull: 13,
    name: 'a file whose mode I change, and whose lines they change',
    work: (clone) => chmodSync(join(clone.top, 'crlf.txt'), 0o755),
    conflicts: [],
  },
]

describe('§14 a tried merge', () => {
  it('tells the conflicts of each case, and leaves nothing', async () => {
    const clone = scene().clone()
    for (const { work } of cases) work(clone)
    const before = clone.listing()
    const tried = await clone.try(cases.map(({ pull }) => pull))
    const told = cases.map(({ name, pull }) => ({ name, conflicts: tried[pull]?.conflicts?.toSorted() }))
    expect(told).toEqual(cases.map(({ name, conflicts }) => ({ name, conflicts })))
    expect(clone.listing()).toEqual(before)
  })

  it('tells the conflicts of commits alone', async () => {
    const clone = scene().clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    clone.git('commit', '-qam', 'mine')
    expect(await clone.try([1, 2])).toMatchObject({ 1: { conflicts: ['a.txt'] }, 2: { conflicts: [] } })
  })

  it('takes a file as git would store it, whatever its line ends and its encoding are here', async () => {
    const clone = scene().clone()
    clone.git('config', 'core.autocrlf', 'input')
    clone.git('config', 'core.safecrlf', 'true')
    clone.write('crlf.txt', lines({ 15: 'mine' }, '\r\n'))
    clone.write('.gitattributes', 'a.txt working-tree-encoding=UTF-16\n')
    clone.write('a.txt', Buffer.from(`\ufeff${lines({ 5: 'mine' })}`, 'utf16le'))
    expect(await clone.try([13, 2])).toMatchObject({ 13: { conflicts: [] }, 2: { conflicts: [] } })
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

  it('tells where the work conflicts with its target branch, also where there is nobody else', async () => {
    const clone = scene().clone()
    const remote = { url: scene().server.url, token: serverToken, target: 'main' }
    const tries = async () => mergeCandidates(await clone.ownWork([]), [], remote, AbortSignal.timeout(60_000))
    clone.write('a.txt', lines({ 5: 'mine' }))
    expect(await tries()).toEqual({ tried: [], ownConflicts: [] })
    clone.write('main.txt', lines({ 10: 'mine' }))
    expect(await tries()).toEqual({ tried: [], ownConflicts: ['main.txt'] })
  })

  it('tries the others where one head is unknown to the server or has nothing in common', async () => {
    const clone = scene().clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { server } = scene()
    const unknown = (digit: string) => ({ activity_id: digit, head_sha: digit.repeat(40), paths: [], hasMore: false })
    const candidates = [unknown('e'), ...[17, 1, 2].map((number) => candidateOf(server, number)), unknown('f')]
    const own = await clone.ownWork([])
    const remote = { url: server.url, token: serverToken, target: 'main' }
    const { tried } = await mergeCandidates(own, candidates, remote, AbortSignal.timeout(60_000))
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
    await expect(readOwnSide({ ...tree, git }, [], [])).rejects.toThrow('git 2.39 or newer is needed')
  })
})
