import { type FileSides, type MergedFile, mergeFile } from './git/merge-file.ts'
import { inStore, readBlobs, type StoreGit } from './git/read-blobs.ts'
import {
  type Conflict,
  type MergeCandidate,
  type MergeReason,
  type MergeResult,
  NotTried,
  notTried,
  resultOf,
  type TargetResult,
} from './merge-result.ts'

/** What the merges of all candidates share. */
export interface OwnCommit {
  /** The tip of the target branch. */
  tip: string
  /** The work tree. */
  mine: string
  leftOut: ReadonlyMap<string, MergeReason>
  filtered: ReadonlySet<string>
  changedPaths: ReadonlySet<string>
}

/** A candidate with its head. */
export interface PresentHead {
  candidate: MergeCandidate
  head: string
}

/** What was tried, by whichever way. */
export interface TriedHeads {
  tried: MergeResult[]
  target: TargetResult
  /** Heads that merge into the target branch, with the tree. */
  merged: (PresentHead & { tree: string })[]
}

/** Tries candidates file by file, where git cannot merge trees. Whether the own work merges into the target is not tried. */
export async function tryEachFile(
  at: StoreGit,
  heads: readonly PresentHead[],
  own: OwnCommit,
  branch: string,
): Promise<TriedHeads> {
  const tried: MergeResult[] = []
  for (const present of heads) {
    try {
      tried.push(await tryFiles(at, present, own))
    } catch (error) {
      if (!(error instanceof NotTried)) throw error
      tried.push(notTried(present.candidate, error.reason, present.head))
    }
  }
  return { tried, target: { branch, sha: own.tip, merge: 'not_tried', paths: [] }, merged: [] }
}

async function tryFiles(
  at: StoreGit,
  { candidate, head }: PresentHead,
  { tip, mine, leftOut, filtered, changedPaths }: OwnCommit,
): Promise<MergeResult> {
  const shared = candidate.files?.filter(({ path }) => changedPaths.has(path) || leftOut.has(path))
  if (!shared || shared.some(({ previous_path }) => previous_path !== null))
    return notTried(candidate, 'git_version', head)
  const paths = shared.flatMap(({ path }) => (leftOut.has(path) || filtered.has(path) ? [] : path))
  const untried: MergeReason[] = shared.flatMap(({ path }) => leftOut.get(path) ?? (filtered.has(path) ? 'filter' : []))
  const [theirBase, ownBase] = await Promise.all([mergeBase(at, tip, head), mergeBase(at, mine, tip, head)])
  const commits = [tip, head, theirBase, ownBase, mine]
  const blobs = await readBlobs(
    at,
    paths.flatMap((path) => commits.map((commit) => `${commit}:${path}`)),
  )
  const conflicts: Conflict[] = []
  for (const [index, path] of paths.entries()) {
    const merged = await tryFile(at, blobs.slice(index * commits.length, (index + 1) * commits.length))
    if (merged === 'target' || merged === 'git_version') untried.push(merged)
    if (merged === 'conflicts') conflicts.push({ path, type: 'contents', removed_by: null })
  }
  const [reason] = untried
  return conflicts.length === 0 && reason !== undefined
    ? notTried(candidate, reason, head)
    : resultOf(candidate, conflicts, head)
}

/** Where the file is missing on one side, only a merge of the trees says why. */
async function tryFile(
  at: StoreGit,
  [target, theirs, theirBase, ownBase, mine]: (Buffer | null)[],
): Promise<'conflicts' | 'target' | 'git_version' | 'clean'> {
  if (!target || !theirs || !theirBase || !ownBase || !mine) return 'git_version'
  const merge = (sides: FileSides) => mergeFile(sides, { ...at, directory: at.store.directory })
  const isConflict = (merged: MergedFile) => merged === 'conflicts'
  const [withTarget, own] = await Promise.all([
    merge({ base: theirBase, theirs: target, mine: theirs }),
    merge({ base: ownBase, theirs: target, mine }),
  ])
  if (isConflict(withTarget) || isConflict(own)) return 'target'
  if (typeof withTarget === 'string') return 'git_version'
  const both = await merge({ base: ownBase, theirs: withTarget, mine })
  if (typeof both === 'string') return both === 'conflicts' ? 'conflicts' : 'git_version'
  return 'clean'
}

/** The merge base of the first commit with a merge of the others. */
export async function mergeBase(at: StoreGit, ...commits: string[]): Promise<string> {
  const { code, stdout } = await inStore(at, ['merge-base', ...commits])
  if (code !== 0) throw new NotTried('shallow')
  return stdout.toString().trim()
}
