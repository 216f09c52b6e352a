import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  forgetMergedFiles,
  mergedFilesFolder,
  readMergedFile,
  saveMergedFiles,
} from '../../../../src/cli/merge/kept/merged-files.ts'
import { type EditResult, tryEdit } from '../../../../src/cli/merge/kept/try-edit.ts'
import { tryMerges } from '../../../../src/cli/merge/try-merges.ts'
import { scratch } from '../../../support/scratch.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
const cleanUp = (remove: () => void | Promise<void>) => void removals.push(remove)
beforeAll(async () => {
  scene = await prepareMergeScene(cleanUp)
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

describe('where git cannot merge trees', () => {
  it('a file that both change is tried by itself, and leaves nothing', async () => {
    const clone = scene.clone()
    for (const path of ['a.txt', 'b.txt', 'main.txt', 'removed.txt', 'logo.png'])
      clone.write(path, lines({ 5: 'mine' }))
    const before = clone.listing()
    const changedPaths = new Set(['a.txt', 'main.txt', 'removed.txt', 'logo.png'])
    const { target, byNumber } = await clone.try([1, 2, 3, 4, 7, 12], undefined, { changedPaths, byFile: true })
    expect(target.merge).toBe('not_tried')
    expect(byNumber[1]).toMatchObject({ merge: 'conflicts', merge_paths: ['a.txt'], merge_types: ['contents'] })
    expect(byNumber[2]).toMatchObject({ merge: 'clean' })
    // Removed on one side, or binary.
    expect([byNumber[3], byNumber[4]].map((result) => result?.merge_reason)).toEqual(['git_version', 'git_version'])
    expect(byNumber[12]).toMatchObject({ merge: 'not_tried', merge_reason: 'target' })
    expect(clone.listing()).toEqual(before)
  })

  it('files that are not known, renamed or not read are not tried', async () => {
    const clone = scene.clone()
    clone.write('a.txt', Buffer.alloc(9_000_000))
    clone.write('renamed-theirs.txt', 'mine\n')
    const changedPaths = new Set(['a.txt', 'renamed-theirs.txt'])
    const { byNumber } = await clone.try([1, 7, 17], undefined, { changedPaths, byFile: true })
    expect([1, 7, 17].map((number) => byNumber[number]?.merge_reason)).toEqual(['too_large', 'git_version', 'shallow'])
    const candidates = [{ ...pull(2), files: null }]
    const { results } = await tryMerges(clone.question(candidates, { changedPaths, byFile: true }))
    expect(results[0]).toMatchObject({ merge: 'not_tried', merge_reason: 'git_version' })
  })
})

describe('an edit', () => {
  async function kept(): Promise<{
    clone: TestClone
    folder: string
    edit: (content: string) => Promise<EditResult[]>
  }> {
    const clone = scene.clone()
    const folder = join(clone.home, 'cache', 'merged')
    await clone.try([1, 2], undefined, { keep: { folder, paths: new Set(['a.txt']) } })
    const { workTree, terminal, temporary } = clone.question([])
    const edit = (content: string) => {
      const question = { workTree, path: 'a.txt', content: Buffer.from(content), folder, terminal, temporary }
      return tryEdit({ ...question, milliseconds: 60_000 })
    }
    return { clone, folder, edit }
  }

  it('is tried with what the last try has kept, without the server, and leaves nothing', async () => {
    const { clone, edit } = await kept()
    const before = clone.listing()
    scene.server.requests.length = 0
    const merges = async (content: string) =>
      Object.fromEntries((await edit(content)).map(({ activity_id, merge }) => [activity_id, merge]))
    expect(await merges(lines({ 5: 'mine' }))).toEqual({ 1: 'conflicts', 2: 'clean' })
    expect(await merges(lines({ 15: 'mine' }))).toEqual({ 1: 'clean', 2: 'conflicts' })
    expect(await merges(lines({ 10: 'mine' }))).toEqual({ 1: 'clean', 2: 'clean' })
    expect(await merges('mine\0\n')).toEqual({ 1: 'not_tried', 2: 'not_tried' })
    expect(scene.server.requests).toEqual([])
    expect(clone.listing()).toEqual(before)
  })

  it('names the head and the target that it was tried with', async () => {
    const { edit } = await kept()
    const [first] = await edit(lines({ 5: 'mine' }))
    expect(first).toMatchObject({
      head_sha: scene.server.commitOf('refs/pull/1/head'),
      target_sha: scene.server.commitOf('refs/heads/main'),
    })
  })

  it('is not tried after a sign-out', async () => {
    const { edit, folder } = await kept()
    forgetMergedFiles(folder)
    expect(await edit(lines({ 5: 'mine' }))).toEqual([])
  })
})

describe('kept files', () => {
  const workTree = { top: '/clone', gitDirectory: '/clone/.git' }
  const entry = (bytes: number) => {
    const content = Buffer.alloc(bytes, 'x')
    return { activity_id: '1', head_sha: 'a', target_sha: 'b', base: content, theirs: content }
  }
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())

  it('are read back by their owner alone, for a day', async () => {
    const folder = join(await scratch(), 'merged')
    const now = Date.now()
    saveMergedFiles(folder, workTree, new Map([['a.txt', [entry(3)]]]), now)
    const read = (at: number) => readMergedFile(folder, workTree, 'a.txt', at)
    expect(await read(now)).toEqual({ savedAt: now, entries: [entry(3)] })
    expect((await read(now + 25 * 3_600_000)).entries).toEqual([])
    expect((await readMergedFile(folder, { ...workTree, top: '/other' }, 'a.txt', now)).entries).toEqual([])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(filesIn(folder).map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777)).toEqual([
      0o600,
    ])
  })

  it('take 5 MB of all clones, the newest ones, and none is older than a day', async () => {
    const folder = join(await scratch(), 'merged')
    const save = (top: string) => {
      const files = new Map(Array.from({ length: 4 }, (_, index) => [`${index}`, [entry(200_000)]]))
      saveMergedFiles(folder, { ...workTree, top }, files, Date.now())
    }
    for (const top of ['/1', '/2', '/3', '/4']) save(top)
    const bytes = filesIn(folder).reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    expect(bytes).toBeGreaterThan(3_000_000)
    expect(bytes).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect((await readMergedFile(folder, { ...workTree, top: '/4' }, '0', Date.now())).entries).toHaveLength(1)
    const old = new Date(Date.now() - 25 * 3_600_000)
    for (const { parentPath, name } of filesIn(folder)) utimesSync(join(parentPath, name), old, old)
    saveMergedFiles(folder, workTree, new Map([['large', [entry(600_000)]]]), Date.now())
    expect(filesIn(folder)).toEqual([])
  })

  it('lie in the folder of the user for such files', () => {
    expect(mergedFilesFolder({ HOME: '/home/a' })).toBe('/home/a/.cache/headsup/merged')
    expect(mergedFilesFolder({ HOME: '/home/a', XDG_CACHE_HOME: '/cache' })).toBe('/cache/headsup/merged')
    expect(mergedFilesFolder({ HOME: '/home/a', XDG_CACHE_HOME: 'relative' })).toBe('/home/a/.cache/headsup/merged')
    expect(mergedFilesFolder({})).toBe(undefined)
  })
})
