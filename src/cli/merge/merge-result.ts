/** The work of somebody else whose head may be tried, as the service names it. */
export interface MergeCandidate {
  activity_id: string
  /** Of its pull request. */
  number: number | null
  branch: string | null
  /** The head that the service has read; null where it knows none. */
  head_sha: string | null
  base_branch: string | null
  /** The files that it changes; null where not all of them are known. */
  files: readonly CandidateFile[] | null
  /** Whether no text may name a path that its head alone has (docs/rules.md#strangers-words). */
  hides_words: boolean
}

export interface CandidateFile {
  path: string
  previous_path: string | null
  /** Whether a conflict in it counts for nothing, as in a lock file. */
  is_ignored: boolean
}

export type MergeType =
  | 'contents'
  | 'modify_delete'
  | 'add_add'
  | 'rename'
  | 'file_directory'
  | 'binary'
  | 'submodule'
  | 'other'

/** Why a merge was not tried. */
export type MergeReason =
  | 'network'
  | 'access'
  | 'no_remote'
  | 'time'
  | 'shallow'
  | 'partial'
  | 'git_version'
  | 'platform'
  | 'head_gone'
  | 'not_pushed'
  | 'filter'
  | 'too_many'
  | 'too_large'
  | 'in_progress'
  | 'target'
  | 'off'
  | 'file_kind'
  | 'no_commit'
  | 'not_fetched'
  | 'head_moved'
  | 'unknown_edit'
  | 'not_on_both_sides'
  | 'failed'

export interface Conflict {
  path: string
  type: MergeType
  removed_by: 'you' | 'they' | null
  /** Where no text may name the file: the directory of the own work above it, or null. */
  unnamed?: { below: string | null }
}

/** What git says of one candidate and this work tree, both merged into the target branch. */
export interface MergeResult {
  activity_id: string
  merge: 'conflicts' | 'clean' | 'not_tried'
  /** Those that may be named. Ignored files come last. */
  merge_paths: string[]
  merge_paths_total: number
  merge_types: MergeType[]
  /** Null where it was tried. */
  merge_reason: MergeReason | null
  conflicts: Conflict[]
  /** Whether it conflicts in ignored files alone, which is no collision. */
  is_only_ignored: boolean
  /** The head that was tried; null where none was. */
  head_sha: string | null
  /** Whether the head that was tried is the one whose lines the service knows. */
  has_known_lines: boolean
}

/** Whether this work tree merges into the branch that it is meant for. */
export interface TargetResult {
  branch: string
  sha: string | null
  merge: 'conflicts' | 'clean' | 'not_tried'
  paths: string[]
}

export interface TriedMerges {
  /** When the heads were fetched, in milliseconds since 1970. */
  tried_at: number
  /** Why nothing at all was tried; null otherwise. */
  failure: MergeReason | null
  target: TargetResult
  results: MergeResult[]
}

/** Ends a try. What is left of it is told by lines. */
export class NotTried extends Error {
  readonly reason: MergeReason

  constructor(reason: MergeReason) {
    super(`The merge was not tried: ${reason}.`)
    this.reason = reason
  }
}

export const maxMergePaths = 20

export function notTried(candidate: MergeCandidate, reason: MergeReason, head: string | null = null): MergeResult {
  return { ...resultOf(candidate, [], head), merge: 'not_tried', merge_reason: reason }
}

/** The result of a merge that was tried, by its conflicts. */
export function resultOf(candidate: MergeCandidate, conflicts: readonly Conflict[], head: string | null): MergeResult {
  const ignored = new Set(candidate.files?.flatMap(({ path, is_ignored }) => (is_ignored ? path : [])))
  const sorted = conflicts.toSorted((a, b) => Number(ignored.has(a.path)) - Number(ignored.has(b.path)))
  return {
    activity_id: candidate.activity_id,
    merge: sorted.length > 0 ? 'conflicts' : 'clean',
    merge_paths: sorted
      .filter(({ unnamed }) => !unnamed)
      .slice(0, maxMergePaths)
      .map(({ path }) => path),
    merge_paths_total: sorted.length,
    merge_types: [...new Set(sorted.map(({ type }) => type))],
    merge_reason: null,
    conflicts: sorted,
    is_only_ignored: sorted.length > 0 && sorted.every(({ path }) => ignored.has(path)),
    head_sha: head,
    has_known_lines: head !== null && head === candidate.head_sha,
  }
}
