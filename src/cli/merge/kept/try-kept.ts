import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'
import { remembered } from '../../remembered.ts'
import type { Terminal } from '../../terminal.ts'
import { type GitProcesses, startGitProcesses } from '../git/git-process.ts'
import { allGuards, type Guards } from '../git/guards.ts'
import { mergeFile } from '../git/merge-file.ts'
import { createTemporary } from '../git/merge-store.ts'
import { inProgress } from '../git/read-clone.ts'
import {
  type Conflict,
  type MergeCandidate,
  type MergeReason,
  type MergeResult,
  NotTried,
  notTried,
  resultOf,
  type TriedMerges,
} from '../merge-result.ts'
import { type KeptPlace, type KeptSides, readMergedFile } from './kept-files.ts'

export interface KeptQuestion {
  workTree: LocatedWorkTree
  place: KeptPlace
  /** Closest first. */
  candidates: readonly MergeCandidate[]
  /** What a file of the work tree is, or will be after an edit; null where that is not known, undefined where there is none. */
  contentOf: (path: string) => Buffer | null | undefined
  milliseconds: number
  terminal: Pick<Terminal, 'env' | 'signal' | 'platform' | 'now'>
  temporary: string
}

/** A file that both change, with both contents. */
interface SharedFile extends KeptSides {
  path: string
  mine: Buffer
}

/** Each is a process. */
const mostFiles = 20

/**
 * Merges the shared files with what the last try has kept of others, one by one (docs/rules.md#tried-merges). Nothing is fetched,
 * and git reads nothing of the clone. Only the head that the service names counts.
 */
export async function tryKept(question: KeptQuestion, guards: Guards = allGuards): Promise<TriedMerges> {
  const { workTree, place, candidates, milliseconds, terminal, temporary } = question
  const reason = reasonAgainst(workTree, terminal.platform)
  const reading = {
    terminal,
    contentOf: remembered(question.contentOf),
    keptOf: remembered((path: string) => readMergedFile(place, path, terminal.now())),
  }
  const found = candidates.map((candidate) => ({ candidate, ...(reason ? { reason } : filesOf(candidate, reading)) }))
  const git = startGitProcesses({ deadline: performance.now() + milliseconds, signal: terminal.signal })
  const directories: string[] = []
  let left = mostFiles
  try {
    const results = found.map(async ({ candidate, reason, files = [] }) => {
      left -= files.length
      if (reason !== undefined) return notTried(candidate, reason)
      if (left < 0) return notTried(candidate, 'too_many')
      if (directories.length === 0) directories.push(createTemporary(temporary))
      return tryFiles(candidate, files, { git, directory: directories[0] ?? '', env: terminal.env, guards })
    })
    const times = found.flatMap(({ savedAt }) => savedAt ?? [])
    return {
      tried_at: Math.min(terminal.now(), ...times),
      failure: reason ?? null,
      target: { branch: '', sha: null, merge: 'not_tried', paths: [] },
      results: await Promise.all(results),
    }
  } finally {
    git.kill()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  }
}

function reasonAgainst({ gitDirectory }: LocatedWorkTree, platform: string): MergeReason | undefined {
  if (platform === 'win32') return 'platform'
  return inProgress.some((name) => existsSync(join(gitDirectory, name))) ? 'in_progress' : undefined
}

/** Reads each file once for all candidates. */
interface Reading extends Pick<KeptQuestion, 'contentOf' | 'terminal'> {
  keptOf: (path: string) => ReturnType<typeof readMergedFile>
}

interface FoundFiles {
  files?: SharedFile[]
  reason?: MergeReason
  /** When the oldest of them was kept. */
  savedAt?: number
}

/** The shared files, where all are kept. A conflict in ignored ones is no collision, so they are not looked at. */
function filesOf(candidate: MergeCandidate, { keptOf, contentOf, terminal }: Reading): FoundFiles {
  const shared = candidate.files?.filter(({ is_ignored }) => !is_ignored)
  if (!shared) return { reason: 'too_many' }
  if (shared.length === 0) return { reason: 'not_fetched' }
  const files: SharedFile[] = []
  let savedAt = terminal.now()
  for (const { path: theirPath, previous_path } of shared) {
    // The own work has the old name alone of a file that they rename, or the merge of the trees has to decide.
    if (previous_path !== null && contentOf(theirPath) !== undefined) return { reason: 'not_on_both_sides' }
    const path = previous_path ?? theirPath
    const kept = keptOf(path)
    const entry = kept.entries.find(({ activity_id }) => activity_id === candidate.activity_id)
    if (!entry) return { reason: 'not_fetched' }
    if (entry.head_sha !== candidate.head_sha) return { reason: 'head_moved' }
    const { file } = entry
    if ('reason' in file) return file
    const mine = contentOf(path)
    if (!mine) return { reason: mine === null ? 'unknown_edit' : 'not_on_both_sides' }
    // git converts the ends of lines, or all of them are changed.
    if (mine.includes('\r\n') && !file.base.includes('\r\n')) return { reason: 'filter' }
    files.push({ ...file, path, mine })
    savedAt = Math.min(savedAt, kept.savedAt)
  }
  return { files, savedAt }
}

interface Place {
  git: GitProcesses
  directory: string
  env: NodeJS.ProcessEnv
  guards: Guards
}

async function tryFiles(candidate: MergeCandidate, files: readonly SharedFile[], place: Place): Promise<MergeResult> {
  const head = candidate.head_sha
  try {
    const merged = await Promise.all(files.map((file) => mergeKept(file, place)))
    const conflicts = merged.filter((one) => typeof one === 'object')
    if (conflicts.length === 0 && merged.includes('undecided')) return notTried(candidate, 'file_kind', head)
    return resultOf(candidate, conflicts, head)
  } catch (error) {
    if (!(error instanceof NotTried)) throw error
    return notTried(candidate, error.reason, head)
  }
}

/** The conflict in a file, where there is one. A file that they remove conflicts with any change. */
async function mergeKept(
  { path, base, theirs, mine }: SharedFile,
  place: Place,
): Promise<Conflict | 'clean' | 'undecided'> {
  if (theirs === null) return mine.equals(base) ? 'clean' : { path, type: 'modify_delete', removed_by: 'they' }
  const merged = await mergeFile({ base, theirs, mine }, place)
  if (merged === 'conflicts') return { path, type: 'contents', removed_by: null }
  return merged === 'undecided' ? merged : 'clean'
}
