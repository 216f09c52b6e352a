import { directoriesAbove } from '../../core/texts/sentence/places.ts'
import type { ParsedMerge } from './git/parse-merge-tree.ts'
import { conflictsOf, pathsInConflict } from './merge-conflicts.ts'
import {
  type Conflict,
  type MergeCandidate,
  type MergeReason,
  type MergeResult,
  maxMergePaths,
  notTried,
  resultOf,
  type TargetResult,
} from './merge-result.ts'

/** A merge of two commits, or why git could not try it. */
export type Merged = ParsedMerge | { failed: MergeReason }

/** What is known of the own work. */
export interface OwnSide {
  /** The target branch with mine. */
  mine: Merged
  /** The changed files whose content was not read. */
  leftOut: ReadonlyMap<string, MergeReason>
  filtered: ReadonlySet<string>
  changedPaths: ReadonlySet<string>
}

/** What the merge of a candidate says. `clean` only where every file that both change was tried. */
export function judgeMerge(
  { mine, leftOut, filtered, changedPaths }: OwnSide,
  candidate: MergeCandidate,
  head: string,
  theirs: Merged,
  both: Merged,
): MergeResult {
  for (const merged of [mine, theirs, both]) {
    if ('failed' in merged) return notTried(candidate, merged.failed, head)
  }
  const [ownConflicts, theirConflicts, conflicts] = [pathsOf(mine), pathsOf(theirs), findConflicts(both)]
  const reasonOf = (path: string): MergeReason | undefined =>
    leftOut.get(path) ??
    (filtered.has(path) ? 'filter' : undefined) ??
    (ownConflicts.has(path) || theirConflicts.has(path) ? 'target' : undefined)
  const named = (conflict: Conflict) =>
    changedPaths.has(conflict.path) ? conflict : unnamed(conflict, candidate, changedPaths)
  const told = conflicts.filter(({ path }) => reasonOf(path) === undefined)
  if (told.length > 0) return resultOf(candidate, candidate.hides_words ? told.map(named) : told, head)
  const files = candidate.files?.flatMap(({ path, previous_path }) => [path, previous_path ?? path])
  // Where their files are not all known, each may be among them.
  const ownUntried = [...leftOut.keys(), ...ownConflicts].filter((path) => !files || files.includes(path))
  const untried = [
    ...conflicts.flatMap(({ path }) => (ownConflicts.has(path) ? [] : path)),
    ...[...theirConflicts].filter((path) => changedPaths.has(path)),
    ...ownUntried,
  ]
  const [reason] = untried.flatMap((path) => reasonOf(path) ?? [])
  return reason === undefined ? resultOf(candidate, [], head) : notTried(candidate, reason, head)
}

/** Whether the own work merges into the target branch. */
export function judgeTarget(
  branch: string,
  sha: string,
  { mine, leftOut, filtered }: Pick<OwnSide, 'mine' | 'leftOut' | 'filtered'>,
): TargetResult {
  if ('failed' in mine) return { branch, sha, merge: 'not_tried', paths: [] }
  const all = conflictsOf(mine).map(({ path }) => path)
  const paths = all.filter((path) => !leftOut.has(path) && !filtered.has(path))
  if (paths.length > 0) return { branch, sha, merge: 'conflicts', paths: paths.slice(0, maxMergePaths) }
  return { branch, sha, merge: all.length === 0 && leftOut.size === 0 ? 'clean' : 'not_tried', paths: [] }
}

function pathsOf(merged: Merged): Set<string> {
  return 'failed' in merged || merged.isClean ? new Set() : pathsInConflict(merged)
}

function findConflicts(merged: Merged): Conflict[] {
  return 'failed' in merged ? [] : conflictsOf(merged)
}

/** The conflict in a file that their head alone has, without its name. Of one that they rename, the name that it has here. */
function unnamed(conflict: Conflict, { files }: MergeCandidate, ownPaths: ReadonlySet<string>): Conflict {
  const before = files?.find(({ path }) => path === conflict.path)?.previous_path ?? ''
  if (ownPaths.has(before)) return { ...conflict, path: before }
  const own = new Set([...ownPaths].flatMap(directoriesAbove))
  const below = directoriesAbove(conflict.path).findLast((name) => own.has(name)) ?? null
  return { ...conflict, removed_by: null, unnamed: { below } }
}
