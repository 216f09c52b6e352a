import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asRecord, type Json, numberField, parseJson, record, textField } from '../../client/json.ts'
import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'

/** Why a file of a head that is fetched cannot be merged by itself. */
const keptReasons = ['target', 'not_on_both_sides', 'too_large'] as const

export interface KeptSides {
  /** As the own work found it. */
  base: Buffer
  /** As the target branch with the head of somebody else has it; null where they remove it. */
  theirs: Buffer | null
}

export interface KeptReason {
  reason: (typeof keptReasons)[number]
}

/** A file of the head of somebody else. */
export interface MergedFileEntry {
  activity_id: string
  head_sha: string
  target_sha: string
  file: KeptSides | KeptReason
}

/** Where the files of a work tree are kept, for the caller with one token. */
export interface KeptPlace {
  /** Of all clones. */
  folder: string
  directory: string
}

const maxBytes = 5 * 1024 * 1024
const maxFileBytes = 512 * 1024
const keptMs = 24 * 3_600_000

/** The folder of all clones, below that of the user for files that may be lost. */
export function keptFolder(env: NodeJS.ProcessEnv): string | undefined {
  const cache = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : env.HOME && join(env.HOME, '.cache')
  return cache ? join(cache, 'headsup', 'merged') : undefined
}

/** Undefined where the user has no such folder. Another token reads nothing of what was kept with this one. */
export function keptPlaceOf(
  env: NodeJS.ProcessEnv,
  { top, gitDirectory }: LocatedWorkTree,
  token: string,
): KeptPlace | undefined {
  const folder = keptFolder(env)
  if (folder === undefined) return undefined
  return { folder, directory: join(folder, hashOf(`${top}\0${gitDirectory}`), hashOf(token)) }
}

/** Saves what others make of some files, instead of what was saved of these before. */
export function saveMergedFiles(
  place: KeptPlace,
  files: ReadonlyMap<string, readonly MergedFileEntry[]>,
  now: number,
): void {
  for (const [path, entries] of files) {
    const byId = entries.map(({ activity_id, head_sha, target_sha, file }) => [
      activity_id,
      { head_sha, target_sha, ...saved(file) },
    ])
    saveKept(place, nameOf(path), { saved_at: now, entries: Object.fromEntries(byId) })
  }
  prune(place, now)
}

/** What is saved of a file; empty where that is too old. */
export function readMergedFile(
  place: KeptPlace,
  path: string,
  now: number,
): { savedAt: number; entries: MergedFileEntry[] } {
  const saved = readKept(place, nameOf(path))
  const savedAt = numberField(saved, 'saved_at') ?? 0
  if (Math.abs(now - savedAt) > keptMs) return { savedAt, entries: [] }
  const entries = record(saved, 'entries')
  return {
    savedAt,
    entries: Object.keys(entries).flatMap((activity_id) => {
      const entry = record(entries, activity_id)
      const [head_sha, target_sha] = [textField(entry, 'head_sha'), textField(entry, 'target_sha')]
      const file = keptIn(entry)
      return head_sha === undefined || target_sha === undefined || !file
        ? []
        : { activity_id, head_sha, target_sha, file }
    }),
  }
}

function saved(file: MergedFileEntry['file']) {
  if ('reason' in file) return file
  const { base, theirs } = file
  if (base.length + (theirs?.length ?? 0) > maxFileBytes) return { reason: 'too_large' }
  return { base: base.toString('base64'), theirs: theirs?.toString('base64') }
}

function keptIn(entry: Json): MergedFileEntry['file'] | undefined {
  const reason = keptReasons.find((one) => one === entry.reason)
  if (reason) return { reason }
  const [base, theirs] = [textField(entry, 'base'), textField(entry, 'theirs')]
  if (base === undefined) return undefined
  return { base: Buffer.from(base, 'base64'), theirs: theirs === undefined ? null : Buffer.from(theirs, 'base64') }
}

export function saveKept({ directory }: KeptPlace, name: string, value: unknown): void {
  saveOwn(join(directory, name), value)
}

export function readKept({ directory }: KeptPlace, name: string): Json {
  return readOwn(join(directory, name))
}

/** Saves a value for its owner alone, at once as a whole. A disk that is full, or a folder that is not ours, keeps nothing. */
export function saveOwn(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** A saved value; empty where there is none. */
export function readOwn(file: string): Json {
  try {
    return asRecord(parseJson(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

/** Removes all of it, as at a sign-out. */
export function forgetKept(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes what is too old, and the folders that are empty then. Each command does it, whether it keeps files or not. */
export function sweepKept(folder: string, now: number): void {
  removeKept(folder, ({ at }) => now - at > keptMs)
}

/** Removes what is too old, what another token has kept of this work tree, and the oldest of what is too much. */
function prune({ folder, directory }: KeptPlace, now: number): void {
  let bytes = 0
  removeKept(folder, ({ path, size, at }) => {
    const isOfOther = dirname(path) !== directory && dirname(dirname(path)) === dirname(directory)
    if (!isOfOther) bytes += size
    return isOfOther || bytes > maxBytes || now - at > keptMs
  })
}

interface KeptFile {
  path: string
  size: number
  /** When it was written, in milliseconds since 1970. */
  at: number
}

/** Looks at the newest files first. */
function removeKept(folder: string, isRemoved: (file: KeptFile) => boolean): void {
  const entries = entriesIn(folder)
  const found = entries.flatMap((entry): KeptFile[] => {
    const path = join(entry.parentPath, entry.name)
    const stat = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
    return stat ? [{ path, size: stat.size, at: stat.mtimeMs }] : []
  })
  const removed = found.toSorted((a, b) => b.at - a.at).filter(isRemoved)
  if (removed.length === 0) return
  for (const { path } of removed) rmSync(path, { force: true })
  // The innermost come last.
  for (const entry of entries.filter((one) => one.isDirectory()).reverse()) {
    removeEmpty(join(entry.parentPath, entry.name))
  }
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
}

export function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // It has files.
  }
}

function nameOf(path: string): string {
  return `${hashOf(path)}.json`
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
