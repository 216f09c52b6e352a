import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  forgetKept,
  type KeptPlace,
  keptFolder,
  keptPlaceOf,
  readMergedFile,
  saveMergedFiles,
  sweepKept,
} from '../../../../src/cli/merge/kept/kept-files.ts'
import { scratch } from '../../../support/scratch.ts'

const workTree = { top: '/clone', gitDirectory: '/clone/.git' }

function entry(bytes: number) {
  const content = Buffer.alloc(bytes, 'x')
  return { activity_id: '1', head_sha: 'a', target_sha: 'b', file: { base: content, theirs: content } }
}

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())
}

async function newPlaces() {
  const home = await scratch()
  return (top = '/clone', token = 'token'): KeptPlace => {
    const place = keptPlaceOf({ HOME: home }, { ...workTree, top }, token)
    if (!place) throw new Error('There is a home.')
    return place
  }
}

describe('kept files', () => {
  it('are read back by their owner alone, for a day', async () => {
    const placeOf = await newPlaces()
    const place = placeOf()
    const now = Date.now()
    saveMergedFiles(place, new Map([['a.txt', [entry(3)]]]), now)
    const read = (at: number, from = place) => readMergedFile(from, 'a.txt', at)
    expect(read(now)).toEqual({ savedAt: now, entries: [entry(3)] })
    expect(read(now + 25 * 3_600_000).entries).toEqual([])
    expect(read(now, placeOf('/other')).entries).toEqual([])
    for (const directory of [place.folder, place.directory, join(place.directory, '..')]) {
      expect(statSync(directory).mode & 0o777).toBe(0o700)
    }
    const modes = filesIn(place.folder).map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777)
    expect(modes).toEqual([0o600])
  })

  it('say too what was removed, and why a file cannot be merged by itself', async () => {
    const place = (await newPlaces())()
    const others = [
      { ...entry(3), activity_id: '2', file: { base: Buffer.from('x'), theirs: null } },
      { ...entry(3), activity_id: '3', file: { reason: 'target' as const } },
    ]
    const large = { ...entry(300_000), activity_id: '4' }
    saveMergedFiles(place, new Map([['a.txt', [...others, large]]]), 1000)
    expect(readMergedFile(place, 'a.txt', 1000).entries).toEqual([
      ...others,
      { ...large, file: { reason: 'too_large' } },
    ])
  })

  it('of other files stay, where some are kept anew', async () => {
    const place = (await newPlaces())()
    saveMergedFiles(place, new Map([['a.txt', [entry(3)]]]), 1000)
    saveMergedFiles(place, new Map([['b.txt', [entry(3)]]]), 2000)
    expect(readMergedFile(place, 'a.txt', 3000)).toEqual({ savedAt: 1000, entries: [entry(3)] })
  })

  it('are not read with another token, whose own replace them', async () => {
    const placeOf = await newPlaces()
    const [mine, other, elsewhere] = [placeOf(), placeOf('/clone', 'other'), placeOf('/elsewhere')]
    for (const place of [mine, elsewhere]) saveMergedFiles(place, new Map([['a.txt', [entry(3)]]]), Date.now())
    expect(readMergedFile(other, 'a.txt', Date.now()).entries).toEqual([])
    saveMergedFiles(other, new Map([['a.txt', [entry(4)]]]), Date.now())
    expect(readMergedFile(mine, 'a.txt', Date.now()).entries).toEqual([])
    expect(readMergedFile(elsewhere, 'a.txt', Date.now()).entries).toEqual([entry(3)])
    expect(readdirSync(join(mine.directory, '..'))).toHaveLength(1)
  })

  it('are removed after a day, with their folders, and others stay', async () => {
    const placeOf = await newPlaces()
    const [place, elsewhere] = [placeOf(), placeOf('/elsewhere')]
    for (const one of [place, elsewhere]) saveMergedFiles(one, new Map([['a.txt', [entry(3)]]]), Date.now())
    const then = new Date(Date.now() - 25 * 3_600_000)
    for (const { parentPath, name } of filesIn(place.directory)) utimesSync(join(parentPath, name), then, then)
    sweepKept(place.folder, Date.now())
    expect(filesIn(place.folder).map(({ parentPath }) => parentPath)).toEqual([elsewhere.directory])
    expect(readdirSync(place.folder)).toHaveLength(1)
    sweepKept(place.folder, Date.now() + 25 * 3_600_000)
    expect(readdirSync(place.folder)).toEqual([])
    sweepKept(join(place.folder, 'gone'), Date.now())
  })

  it('are gone after a sign-out', async () => {
    const place = (await newPlaces())()
    saveMergedFiles(place, new Map([['a.txt', [entry(3)]]]), Date.now())
    forgetKept(place.folder)
    expect(readMergedFile(place, 'a.txt', Date.now()).entries).toEqual([])
    forgetKept(place.folder)
  })

  it('take 5 MB of all clones, the newest ones, and none is older than a day', async () => {
    const placeOf = await newPlaces()
    const { folder } = placeOf()
    const save = (top: string) => {
      const files = new Map(Array.from({ length: 4 }, (_, index) => [`${index}`, [entry(200_000)]]))
      saveMergedFiles(placeOf(top), files, Date.now())
    }
    for (const top of ['/1', '/2', '/3', '/4']) save(top)
    const bytes = filesIn(folder).reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    expect(bytes).toBeGreaterThan(3_000_000)
    expect(bytes).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect(readMergedFile(placeOf('/4'), '0', Date.now()).entries).toHaveLength(1)
    const old = new Date(Date.now() - 25 * 3_600_000)
    for (const { parentPath, name } of filesIn(folder)) utimesSync(join(parentPath, name), old, old)
    saveMergedFiles(placeOf(), new Map([['new', [entry(3)]]]), Date.now())
    expect(filesIn(folder)).toHaveLength(1)
  })

  it('lie in the folder of the user for such files', () => {
    expect(keptFolder({ HOME: '/home/a' })).toBe('/home/a/.cache/headsup/merged')
    expect(keptFolder({ HOME: '/home/a', XDG_CACHE_HOME: '/cache' })).toBe('/cache/headsup/merged')
    expect(keptFolder({ HOME: '/home/a', XDG_CACHE_HOME: 'relative' })).toBe('/home/a/.cache/headsup/merged')
    expect(keptFolder({})).toBe(undefined)
    expect(keptPlaceOf({}, workTree, 'token')).toBe(undefined)
  })

  it('are not kept where the folder can not be made', () => {
    const place = { folder: '/dev/null/x', directory: '/dev/null/x/y' }
    saveMergedFiles(place, new Map([['a.txt', [entry(3)]]]), Date.now())
    expect(readMergedFile(place, 'a.txt', Date.now()).entries).toEqual([])
  })
})
