import { type FileSides, mergeFile } from './git/merge-file.ts'
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
  /** The heads that are merged into the target branch. */
  merged: MergedHead[]
}

export interface MergedHead extends PresentHead {
  /** Null where files were merged one by one: those are in `files`. */
  tree: string | null
  files: ReadonlyMap<string, Buffer>
  /** The files in which it conflicts with the target branch. */
  leftOut: ReadonlySet<string>
}

/** Tries candidates file by file, where git cannot merge trees. Whether the own work merges into the target is not tried. */
export async function tryEachFile(
  at: StoreGit,
  heads: readonly PresentHead[],
  own: OwnCommit,
  branch: string,
): Promise<TriedHeads> {
  const tried: MergeResult[] = []
  const merged: MergedHead[] = []
  for (const present of heads) {
    const [files, conflicting] = [new Map<string, Buffer>(), new Set<string>()]
    try {
      tried.push(await tryFiles(at, present, own, { files, leftOut: conflicting }))
      merged.push({ ...present, tree: null, files, leftOut: conflicting })
    } catch (error) {
      if (!(error instanceof NotTried)) throw error
      tried.push(notTried(present.candidate, error.reason, present.head))
    }
  }
  return { tried, target: { branch, sha: own.tip, merge: 'not_tried', paths: [] }, merged }
}

async function tryFiles(
  at: StoreGit,
  { candidate, head }: PresentHead,
  { tip, mine, leftOut, filtered, changedPaths }: OwnCommit,
  withTarget: { files: Map<string, Buffer>; leftOut: Set<string> },
): Promise<MergeResult> {
  const shared = candidate.files?.filter(({ path }) => changedPaths.has(path) || leftOut.has(path))
  // Where none is shared, the own changes are not known.
  if (!shared || shared.length === 0 || shared.some(({ previous_path }) => previous_path !== null))
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
    const sides = blobs.slice(index * commits.length, (index + 1) * commits.length)
    const { merged, theirs } = await tryFile(at, sides)
    if (theirs) withTarget.files.set(path, theirs)
    else if (merged === 'target') withTarget.leftOut.add(path)
    if (merged === 'target' || merged === 'git_version') untried.push(merged)
    if (merged === 'conflicts') conflicts.push({ path, type: 'contents', removed_by: null })
  }
  const [reason] = untried
  return conflicts.length === 0 && reason !== undefined
    ? notTried(candidate, reason, head)
    : resultOf(candidate, conflicts, head)
}

interface TriedFile {
  merged: 'conflicts' | 'target' | 'git_version' | 'clean'
  /** Theirs merged into the target branch. */
  theirs?: Buffer
}

/** Where the file is missing on one side, only a merge of the trees says why. */
async function tryFile(
  at: StoreGit,
  [target, theirs, theirBase, ownBase, mine]: (Buffer | null)[],
): Promise<TriedFile> {
  if (!target || !theirs || !theirBase || !ownBase || !mine) return { merged: 'git_version' }
  const merge = (sides: FileSides) => mergeFile(sides, { ...at, directory: at.store.directory })
  const [withTarget, own] = await Promise.all([
    merge({ base: theirBase, theirs: target, mine: theirs }),
    merge({ base: ownBase, theirs: target, mine }),
  ])
  if (withTarget === 'conflicts') return { merged: 'target' }
  if (withTarget === 'undecided') return { merged: 'git_version' }
  if (own === 'conflicts') return { merged: 'target', theirs: withTarget }
  const both = await merge({ base: ownBase, theirs: withTarget, mine })
  const merged = both === 'conflicts' ? both : both === 'undecided' ? 'git_version' : 'clean'
  return { merged, theirs: withTarget }
}

/** The merge base of the first commit with a merge of the others. */
export async function mergeBase(at: StoreGit, ...commits: string[]): Promise<string> {
  const { code, stdout } = await inStore(at, ['merge-base', ...commits])
  if (code !== 0) throw new NotTried('shallow')
  return stdout.toString().trim()
}
