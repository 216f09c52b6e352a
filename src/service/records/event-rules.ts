import type { Activity } from '../db/generated/client.ts'
import { archivedAt, isDue } from './lifecycle.ts'

/** What GitHub's events do to recorded work. Each function tells which columns change, and null where none does. */
export type Update = Partial<Activity> | null

/** By how much times may differ that belong together: GitHub's clock is not ours, and says whole seconds. */
export const toleranceMs = 30_000
/** Longer than GitHub delivers an event again. An older time is not that of this event. */
const longestRedeliveryMs = 8 * 86_400_000

export interface Merge {
  number: number
  /** The head branch; null where it is in another repository, or the default one. */
  head: string | null
  base: string
  mergedAt: Date | null
}

export interface DeletedBranch {
  branch: string
  /** `pushed_at` of the repository: the event itself says no time. */
  pushedAt: Date | null
}

export interface ChangedPull {
  number: number
  isDraft: boolean
  /** Whether it was just opened or reopened. */
  isOpened: boolean
}

/** Work that was created after an event is on a new branch of the same name. A time that is not known, or old, bounds nothing. */
function isYounger({ created_at }: Activity, eventAt: Date | null, now: Date): boolean {
  if (eventAt === null || now.getTime() - eventAt.getTime() > longestRedeliveryMs) return false
  return created_at.getTime() > eventAt.getTime() + toleranceMs
}

function isOfMerge(row: Activity, { number, head, base, mergedAt }: Merge, now: Date): boolean {
  if (row.pr_number === number) return true
  if (head === null || row.branch !== head || row.pr_url !== null) return false
  if (row.base_branch !== null && row.base_branch !== base) return false
  return !isYounger(row, mergedAt, now)
}

/** A merge archives its live work. What the deletion of the branch or an expiry archived before was merged, too. */
export function afterMerge(row: Activity, merge: Merge, now: Date): Update {
  if (!isOfMerge(row, merge, now)) return null
  const { ended_at, expires_at, archived_reason } = row
  if (ended_at === null) {
    const end = isDue(row, now) && expires_at ? expires_at : now
    // GitHub merges no draft: that it became ready may be told later.
    return { ...archivedAt(end, 'merged'), draft_pr: false }
  }
  return archived_reason === 'branch_deleted' || archived_reason === 'expired' ? { archived_reason: 'merged' } : null
}

/** A branch was deleted: the live work on it is archived, and work that would merge into it has no base any more. */
export function afterDelete(row: Activity, { branch, pushedAt }: DeletedBranch, now: Date): Update {
  if (row.ended_at !== null || isYounger(row, pushedAt, now)) return null
  if (isDue(row, now)) return row.expires_at && archivedAt(row.expires_at, 'expired')
  if (row.branch === branch) return archivedAt(now, 'branch_deleted')
  return row.base_branch === branch ? { base_branch: null } : null
}

/** Live work follows its pull request. `active` is left once, when that is opened: later it is the caller's word. */
export function afterPull(row: Activity, { number, isDraft, isOpened }: ChangedPull, now: Date): Update {
  if (row.pr_number !== number || row.ended_at !== null || isDue(row, now)) return null
  const status = statusInPull(row.status, isDraft, isOpened)
  return status === row.status && row.draft_pr === isDraft ? null : { status, draft_pr: isDraft }
}

/** The status of work whose pull request is a draft, or ready. */
export function statusInPull(status: string, isDraft: boolean, isOpened: boolean): string {
  const follows = status === 'draft-pr-open' || status === 'ready-for-review' || (isOpened && status === 'active')
  if (!follows) return status
  return isDraft ? 'draft-pr-open' : 'ready-for-review'
}
