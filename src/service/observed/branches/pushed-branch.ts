import type { FileChange } from '../../../core/changes/file-change.ts'
import type { PushedBranch as PushedBranchModel } from '../../db/generated/client.ts'

/** A branch as stored (`pushed_branches`): its last push, and how far it is read. */
export type PushedBranchRow = PushedBranchModel

/** What a webhook says about a push to a branch. */
export interface Push {
  branch: string
  headSha: string
  /** The head before the push; null if the event does not say. */
  beforeSha: string | null
  pushedAt: Date
  /** Null if GitHub did not say who pushed. */
  pusher: { id: bigint; login: string } | null
}

/** What comparing a head with the default branch shows. */
export interface ComparedBranch {
  branch: string
  headSha: string
  /** The branch that it was compared with. */
  baseBranch: string
  /** How many commits the default branch lacks; null if the two have no common history. */
  aheadBy: number | null
  files: readonly FileChange[]
  /** The SHAs of these commits, the oldest first. */
  commits: readonly string[]
}

/** A branch that is more commits ahead is not observed: it is a long-lived branch, or of another line of history. */
export const mostCommitsAhead = 50

/**
 * Whether a head is observed, judged by the commits and files that the default branch lacks (docs/rules.md#pushed-branches). A
 * branch that was merged by squash, and brought up to date since, has such commits and changes no file.
 */
export function isObservedHead({ aheadBy, files }: Pick<ComparedBranch, 'aheadBy' | 'files'>): boolean {
  return aheadBy !== null && aheadBy > 0 && aheadBy <= mostCommitsAhead && files.length > 0
}

/** When the record of a branch expires after its last push. A heartbeat may have extended it further. */
export function branchExpiry(pushedAt: Date, ttlMs: number, current?: Date): Date {
  const expiry = new Date(pushedAt.getTime() + ttlMs)
  return current !== undefined && current > expiry ? current : expiry
}
