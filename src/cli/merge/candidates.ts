import type { Met } from '../../core/schemas/overlap.ts'

/** What is known of the work that a merge is tried with. */
export type OtherWork = Pick<
  Met,
  'activity_id' | 'head_sha' | 'paths' | 'paths_total' | 'example_path' | 'number' | 'branch' | 'actor'
>

/** The part of an answer that tries are about. */
export interface Answered {
  collisions: readonly OtherWork[]
  nearby: readonly OtherWork[]
  /** Where some was merged lately, the work may not merge with its target any more. */
  reuse_opportunities?: readonly object[]
}

/** Somebody else's work whose head the service names. */
export interface Candidate {
  activity_id: string
  head_sha: string
  /** Files that both change, some of them where there are more. */
  paths: readonly string[]
  hasMore: boolean
}

/** A try of one merge. */
export interface Tried {
  activity_id: string
  /** The files in conflict, empty where the two merge; null where that is not known. */
  conflicts: readonly string[] | null
  /** Why it was not tried. */
  reason: string | null
}

/** All tries of a command. */
export interface Tries {
  tried: Tried[]
  /** The files in which the work conflicts with its target branch alone. */
  ownConflicts: readonly string[]
}

export const maxHeads = 20
const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
// No revision syntax, no option, no refspec. Git itself refuses what is left and is no branch.
const branchName = /^(?!-)(?!.*(?:\.\.|@\{|\/\/))[^\s\p{Cc}~^:?*[\\]+$/u

/** The work of an answer that can be tried, collisions first. What is an argument of git is checked: it came over the network. */
export function candidatesOf({ collisions, nearby }: Answered): Candidate[] {
  return [...collisions, ...nearby].flatMap(({ activity_id, head_sha, paths, paths_total }) =>
    head_sha !== null && commitId.test(head_sha)
      ? { activity_id, head_sha, paths, hasMore: paths_total > paths.length }
      : [],
  )
}

export function isBranchName(name: string): boolean {
  return branchName.test(name)
}
