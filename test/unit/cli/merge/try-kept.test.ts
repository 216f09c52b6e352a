import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allGuards, type Guards } from '../../../../src/cli/merge/git/guards.ts'
import { isFetchDue } from '../../../../src/cli/merge/kept/fetch-in-background.ts'
import { keptPlaceOf } from '../../../../src/cli/merge/kept/kept-files.ts'
import { tryKept } from '../../../../src/cli/merge/kept/try-kept.ts'
import type { MergeCandidate } from '../../../../src/cli/merge/merge-result.ts'
import { serverToken } from '../../../support/git-server.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

/** A pull request whose head the service knows. */
function known(number: number, more: Partial<MergeCandidate> = {}): MergeCandidate {
  return { ...pull(number), head_sha: scene.server.commitOf(`refs/pull/${number}/head`), ...more }
}

interface Trying {
  candidates?: MergeCandidate[]
  guards?: Guards
  now?: () => number
  milliseconds?: number
  platform?: string
}

/** A clone in which a try has kept files of the pull requests. */
function keptClone(numbers = [1, 2], byFile = false, changed = ['a.txt', 'main.txt', 'b.txt']) {
  return cloneWithKept(
    numbers.map((number) => known(number)),
    byFile,
    changed,
  )
}

async function cloneWithKept(tried: MergeCandidate[], byFile: boolean, changed: string[]) {
  const clone = scene.clone()
  const { workTree, terminal, temporary } = clone.question([])
  const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
  if (!place) throw new Error('There is a home.')
  const changedPaths = new Set(changed)
  for (const path of changedPaths) clone.write(path, lines({ 1: 'mine' }))
  await clone.tryAll(tried, allGuards, { place, changedPaths, byFile })
  const read: string[] = []
  const results = async (
    contents: Record<string, string | Buffer | null | undefined>,
    { candidates = tried, guards, ...more }: Trying = {},
  ) => {
    const { now = Date.now, platform = 'linux', milliseconds = 60_000 } = more
    const question = {
      ...{ workTree, place, candidates, temporary, milliseconds, terminal: { ...terminal, now, platform } },
      contentOf: (path: string) => {
        read.push(path)
        const content = contents[path]
        return content === undefined || content === null ? content : Buffer.from(content)
      },
    }
    return (await tryKept(question, guards)).results
  }
  const edit = async (...given: Parameters<typeof results>) =>
    (await results(...given)).map(({ merge, merge_reason }) => merge_reason ?? merge)
  return { clone, edit, results, read }
}

describe.each([
  ['of a merge of trees', false],
  ['of merges of single files, by an older git', true],
] as const)('an edit is tried with what is kept %s', (_, byFile) => {
  it('without the server, and leaves nothing', async () => {
    const { clone, edit } = await keptClone([1, 2], byFile)
    const before = clone.listing()
    scene.server.requests.length = 0
    expect(await edit({ 'a.txt': lines({ 5: 'mine' }) })).toEqual(['conflicts', 'clean'])
    expect(await edit({ 'a.txt': lines({ 15: 'mine' }) })).toEqual(['clean', 'conflicts'])
    expect(await edit({ 'a.txt': lines({ 10: 'mine' }) })).toEqual(['clean', 'clean'])
    expect(scene.server.requests).toEqual([])
    expect(clone.listing()).toEqual(before)
  })
})

describe('an edit is told by lines', () => {
  const mine = { 'a.txt': lines({ 5: 'mine' }) }

  it('where their head has moved, is not known, or nothing is kept of it', async () => {
    const { edit } = await keptClone()
    const [first, second] = [known(1), known(2)]
    const moved = { ...first, head_sha: second.head_sha }
    expect(await edit(mine, { candidates: [moved, { ...first, head_sha: null }] })).toEqual([
      'head_moved',
      'head_moved',
    ])
    expect(await edit(mine, { candidates: [known(3), { ...first, activity_id: 'other' }] })).toEqual([
      'not_fetched',
      'not_fetched',
    ])
    expect(
      await edit(mine, {
        candidates: [
          { ...first, files: null },
          { ...first, files: [] },
        ],
      }),
    ).toEqual(['too_many', 'not_fetched'])
  })

  it('where the edit, or how git stores the file, is not known', async () => {
    const { edit } = await keptClone([1])
    expect(await edit({ 'a.txt': null })).toEqual(['unknown_edit'])
    expect(await edit({ 'a.txt': lines({ 5: 'mine' }, '\r\n') })).toEqual(['filter'])
    expect(await edit({ 'a.txt': 'mine\0\n' })).toEqual(['file_kind'])
  })

  it('after a day, on Windows, without time, and in the middle of a merge', async () => {
    const { clone, edit } = await keptClone([1])
    expect(await edit(mine, { now: () => Date.now() + 25 * 3_600_000 })).toEqual(['not_fetched'])
    expect(await edit(mine, { platform: 'win32' })).toEqual(['platform'])
    expect(await edit(mine, { milliseconds: 0 })).toEqual(['time'])
    writeFileSync(join(clone.top, '.git/MERGE_HEAD'), '')
    expect(await edit(mine)).toEqual(['in_progress'])
  })

  it('where one of the files that both change is not kept, unless another one conflicts or it is ignored', async () => {
    const { edit } = await keptClone([1])
    const other = { path: 'b.txt', previous_path: null, is_ignored: false }
    const files = known(1).files ?? []
    const clean = { 'a.txt': lines({ 15: 'mine' }), 'b.txt': lines() }
    expect(await edit(clean, { candidates: [known(1, { files: [...files, other] })] })).toEqual(['not_fetched'])
    const ignored = { ...other, is_ignored: true }
    expect(await edit(clean, { candidates: [known(1, { files: [...files, ignored] })] })).toEqual(['clean'])
  })

  it('of more than twenty', async () => {
    const { edit } = await keptClone([1])
    const candidates = Array.from({ length: 22 }, () => known(1))
    const told = await edit(mine, { candidates })
    expect([told.slice(0, 20), told.slice(20)]).toEqual([Array(20).fill('conflicts'), ['too_many', 'too_many']])
  })
})

it('reads a file once for all candidates', async () => {
  const { edit, read } = await keptClone()
  expect(await edit({ 'a.txt': lines({ 5: 'mine' }) })).toEqual(['conflicts', 'clean'])
  expect(read).toEqual(['a.txt'])
})

it('a file in which their head conflicts with the target branch is not kept, and their others are', async () => {
  const { edit } = await keptClone([12])
  const only = (path: string) => [known(12, { files: [{ path, previous_path: null, is_ignored: false }] })]
  expect(await edit({ 'b.txt': lines({ 5: 'mine' }) }, { candidates: only('b.txt') })).toEqual(['conflicts'])
  expect(await edit({ 'main.txt': lines() }, { candidates: only('main.txt') })).toEqual(['target'])
})

describe('a file that one side lacks', () => {
  it('conflicts where they remove it and the edit changes it, and is clean where nothing is changed', async () => {
    const { edit } = await keptClone([3], false, ['removed.txt'])
    expect(await edit({ 'removed.txt': lines({ 5: 'mine' }) })).toEqual(['conflicts'])
    expect(await edit({ 'removed.txt': lines() })).toEqual(['clean'])
  })

  it('is merged under its old name where they rename it, and git has followed the rename', async () => {
    const { edit, results } = await keptClone([6, 7], false, ['both.txt', 'renamed.txt'])
    const edited = (line: number) => ({
      'both.txt': lines({ [line]: 'mine' }),
      'renamed.txt': lines({ [line]: 'mine' }),
    })
    expect(await edit(edited(5))).toEqual(['clean', 'conflicts'])
    expect(await edit(edited(15))).toEqual(['clean', 'clean'])
    const [, second] = await results(edited(5))
    expect(second?.conflicts).toEqual([{ path: 'renamed.txt', type: 'contents', removed_by: null }])
  })

  it('is not tried where they rename it, and git takes it for a removed one', async () => {
    const [ref, files] = ['refs/pull/50/head', { 'removed.txt': null, 'rewritten.txt': 'x\n' }]
    scene.server.add([{ ref, from: 'refs/heads/old', files }])
    const named = { path: 'rewritten.txt', previous_path: 'removed.txt', is_ignored: false }
    const candidate = { ...pull(50), head_sha: scene.server.commitOf(ref), files: [named] }
    const { edit } = await cloneWithKept([candidate], false, ['removed.txt'])
    expect(await edit({ 'removed.txt': lines({ 5: 'mine' }) })).toEqual(['not_on_both_sides'])
  })

  it('is not tried where they rename it, and it is renamed here, or its new name is there', async () => {
    const here = await keptClone([7], false, ['renamed.txt'])
    expect(await here.edit({ 'renamed-theirs.txt': lines({ 15: 'mine' }) })).toEqual(['not_on_both_sides'])
    const both = { 'renamed.txt': lines({ 15: 'mine' }), 'renamed-theirs.txt': 'mine\n' }
    expect(await here.edit(both)).toEqual(['not_on_both_sides'])
    const untried = await keptClone([7], true, ['renamed.txt'])
    expect(await untried.edit({ 'renamed.txt': lines({ 15: 'mine' }) })).toEqual(['not_on_both_sides'])
  })

  it('is not tried where they add it, where it is removed here, and by an older git', async () => {
    const added = await keptClone([5], false, ['added.txt'])
    expect(await added.edit({ 'added.txt': 'mine\n' })).toEqual(['not_on_both_sides'])
    const here = await keptClone([1])
    expect(await here.edit({ 'a.txt': undefined })).toEqual(['not_on_both_sides'])
    const byFile = await keptClone([3], true, ['removed.txt'])
    expect(await byFile.edit({ 'removed.txt': lines({ 5: 'mine' }) })).toEqual(['not_on_both_sides'])
  })
})

it('the user’s own git is asked for nothing but the merge of files, and runs nothing', async () => {
  const { clone, edit } = await keptClone([1])
  clone.git('config', '--global', 'core.fsmonitor', clone.trap('monitor'))
  clone.git('config', '--global', 'alias.merge-file', `!${clone.trap('alias')}`)
  expect(await edit({ 'a.txt': lines({ 5: 'mine' }) })).toEqual(['conflicts'])
  expect(clone.ran()).toEqual([])
})

describe('the same try within five minutes', () => {
  async function twice(change: (clone: TestClone) => void = () => {}, later = 60_000) {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { workTree, terminal } = clone.question([])
    const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
    const start = Date.now()
    const at = (now: number) => ({ place, terminal: { ...terminal, now: () => now } })
    const trying = (now: number) => clone.tryAll([known(1), known(2)], allGuards, at(now))
    const first = await trying(start)
    change(clone)
    scene.server.requests.length = 0
    const second = await trying(start + later)
    return { first, second, requests: scene.server.requests.length }
  }

  it('fetches nothing where nothing has moved, and says how old it is', async () => {
    const { first, second, requests } = await twice()
    expect(requests).toBe(0)
    expect(second).toEqual(first)
    expect(second.results.map(({ merge }) => merge)).toEqual(['conflicts', 'clean'])
  })

  it('is another one after five minutes, and where the own work or what the clone knows has moved', async () => {
    const moved: [(clone: TestClone) => void, number][] = [
      [() => {}, 5 * 60_000],
      [(clone) => clone.write('a.txt', lines({ 6: 'mine' })), 60_000],
      [(clone) => clone.git('fetch', '-q', 'origin', 'main:refs/remotes/origin/main'), 60_000],
    ]
    for (const [change, later] of moved) {
      const { first, second, requests } = await twice(change, later)
      expect(requests).toBeGreaterThan(0)
      expect(second.tried_at).toBe(first.tried_at + later)
    }
  })

  it('is another one where a head is not known, or was not reached', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { workTree } = clone.question([])
    const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
    for (const candidate of [pull(1), known(1, { number: 999 })]) {
      await clone.tryAll([candidate], allGuards, { place })
      scene.server.requests.length = 0
      await clone.tryAll([candidate], allGuards, { place })
      expect(scene.server.requests.length).toBeGreaterThan(0)
    }
  })
})

describe('after a try that ran out of time', () => {
  it('none with as much time begins for an hour, one with more does', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { workTree, terminal } = clone.question([])
    const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
    const trying = async (milliseconds: number, now = Date.now()) => {
      scene.server.requests.length = 0
      const limits = { milliseconds, heads: 20, bytes: 1e7 }
      const { results } = await clone.tryAll([known(1)], allGuards, {
        place,
        limits,
        terminal: { ...terminal, now: () => now },
      })
      return [results[0]?.merge_reason, scene.server.requests.length > 0]
    }
    scene.server.answer = () => {}
    expect(await trying(3000)).toEqual(['time', true])
    scene.server.answer = undefined
    expect(await trying(3000)).toEqual(['time', false])
    expect(await trying(60_000)).toEqual([null, true])
    expect(await trying(3000, Date.now() + 3_700_000)).not.toEqual(['time', false])
  })

  it('a caller who gives up has not run out of time', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { workTree, terminal } = clone.question([])
    const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
    const abort = new AbortController()
    scene.server.answer = () => abort.abort()
    await clone.tryAll([known(1)], allGuards, { place, terminal: { ...terminal, signal: abort.signal } })
    scene.server.answer = undefined
    expect((await clone.tryAll([known(1)], allGuards, { place })).results[0]?.merge).toBe('conflicts')
  })
})

it('heads are fetched for hooks at most once in five minutes, where something moved, or after an hour', () => {
  const [minute, hour] = [60_000, 3_600_000]
  const last = { at: 0, key: 'a' }
  expect(isFetchDue(undefined, 'a', 0)).toBe(true)
  expect(isFetchDue(last, 'b', 4 * minute)).toBe(false)
  expect(isFetchDue(last, 'b', 5 * minute)).toBe(true)
  expect(isFetchDue(last, 'a', 59 * minute)).toBe(false)
  expect(isFetchDue(last, 'a', hour)).toBe(true)
  expect(isFetchDue({ at: hour, key: 'a' }, 'a', 0)).toBe(true)
})

it('what is kept lies in the folder of the user, and not in the clone', async () => {
  const { clone } = await keptClone()
  expect(existsSync(join(clone.home, '.cache/headsup/merged'))).toBe(true)
  expect(clone.listing().filter((line) => line.includes('headsup'))).toEqual([])
  expect(readFileSync(join(clone.top, 'a.txt'), 'utf8')).toBe(lines({ 1: 'mine' }))
})
