import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberField, record, textField } from '../../client/json.ts'
import { readJsonFile } from '../../client/work-state-file.ts'
import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'

/** A file as the target branch with the head of somebody else has it, and as the own work found it. */
export interface MergedFileEntry {
  activity_id: string
  head_sha: string
  target_sha: string
  base: Buffer
  theirs: Buffer
}

const maxBytes = 5 * 1024 * 1024
const maxFileBytes = 512 * 1024
const keptMs = 24 * 3_600_000

/** The folder of all clones, below that of the user for files that may be lost. */
export function mergedFilesFolder(env: NodeJS.ProcessEnv): string | undefined {
  const cache = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : env.HOME && join(env.HOME, '.cache')
  return cache ? join(cache, 'headsup', 'merged') : undefined
}

/** Saves what others make of some files of a work tree, instead of what was saved before. */
export function saveMergedFiles(
  folder: string,
  workTree: LocatedWorkTree,
  files: ReadonlyMap<string, readonly MergedFileEntry[]>,
  now: number,
): void {
  const directory = directoryOf(folder, workTree)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [path, entries] of files) {
    const small = entries.filter(({ base, theirs }) => base.length + theirs.length <= maxFileBytes)
    if (small.length === 0) continue
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const byId = small.map(({ activity_id, head_sha, target_sha, base, theirs }) => [
      activity_id,
      { head_sha, target_sha, base: base.toString('base64'), theirs: theirs.toString('base64') },
    ])
    const file = join(directory, nameOf(path))
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, JSON.stringify({ saved_at: now, entries: Object.fromEntries(byId) }), { mode: 0o600 })
    renameSync(draft, file)
  }
  prune(folder, now)
}

/** What is saved of a file; empty where that is too old. */
export async function readMergedFile(
  folder: string,
  workTree: LocatedWorkTree,
  path: string,
  now: number,
): Promise<{ savedAt: number; entries: MergedFileEntry[] }> {
  const saved = await readJsonFile(join(directoryOf(folder, workTree), nameOf(path)))
  const savedAt = numberField(saved, 'saved_at') ?? 0
  if (Math.abs(now - savedAt) > keptMs) return { savedAt, entries: [] }
  const entries = record(saved, 'entries')
  return {
    savedAt,
    entries: Object.keys(entries).flatMap((activity_id) => {
      const entry = record(entries, activity_id)
      const [head_sha, target_sha] = [textField(entry, 'head_sha'), textField(entry, 'target_sha')]
      const [base, theirs] = [textField(entry, 'base'), textField(entry, 'theirs')]
      if (head_sha === undefined || target_sha === undefined || base === undefined || theirs === undefined) return []
      const contents = { base: Buffer.from(base, 'base64'), theirs: Buffer.from(theirs, 'base64') }
      return { activity_id, head_sha, target_sha, ...contents }
    }),
  }
}

/** Removes all of it, as at a sign-out. */
export function forgetMergedFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes what is too old, and the oldest of what is too much. */
function prune(folder: string, now: number): void {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = names.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat ? { path, bytes: stat.size, at: stat.mtimeMs } : []
  })
  let bytes = 0
  for (const file of found.toSorted((a, b) => b.at - a.at)) {
    bytes += file.bytes
    if (bytes > maxBytes || now - file.at > keptMs) rmSync(file.path, { force: true })
  }
}

function directoryOf(folder: string, { top, gitDirectory }: LocatedWorkTree): string {
  return join(folder, hashOf(`${top}\0${gitDirectory}`))
}

function nameOf(path: string): string {
  return `${hashOf(path)}.json`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
