import type { Prisma } from '../../../db/generated/client.ts'
import type { Settings } from '../../settings/schema.ts'
import {
  archiveLiveOnBranch,
  archiveMergedActivities,
  type BranchOf,
  countMergedOnBranch,
  followDraft,
  hasLiveOnBranch,
  heartbeatLiveOnBranch,
  linkLiveOnBranch,
} from './branch-activities.sql.ts'
import { eventToleranceMs, latestCreatedAt, timeOfEvent } from './event-time.ts'

/**
 * A push is a heartbeat of the live activities on its branch, at the time of the push (docs/rules.md#pushes). Returns
 * null without any, and reads no settings then: most pushed branches have no activity.
 */
export async function heartbeatBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { now, pushedAt }: { now: Date; pushedAt: Date | null },
  settings: () => Promise<Pick<Settings, 'activity_ttl_ms' | 'max_activity_ttl_ms'>>,
): Promise<number | null> {
  if (!(await hasLiveOnBranch(tx, branch, now))) return null
  const { activity_ttl_ms, max_activity_ttl_ms } = await settings()
  const at = timeOfEvent(pushedAt, now)
  return heartbeatLiveOnBranch(tx, branch, { now, at, ttlMs: activity_ttl_ms, maxTtlMs: max_activity_ttl_ms })
}

export interface OpenPullRequest {
  repositoryId: bigint
  number: number
  /** In canonical form. */
  url: string
  /** The head branch; null if the head is in another repository, such as a fork. */
  head: string | null
  defaultBranch: string | null
  draft: boolean
  /** Whether the event is that it was opened or reopened. */
  opened: boolean
  /** When it last changed; null if the event does not say. */
  updatedAt: Date | null
}

/**
 * Links the live activities of the head branch to an opened or changed pull request, and lets linked activities follow
 * its draft state (docs/rules.md#opened-pull-requests). A default branch as the head links nothing. A late event
 * links no activity created since, and does not overwrite the draft state of a newer event.
 */
export async function linkPullRequest(tx: Prisma.TransactionClient, pullRequest: OpenPullRequest, now: Date) {
  const { repositoryId, number, url, head, defaultBranch, draft, opened, updatedAt } = pullRequest
  const isLinked = head !== null && head !== defaultBranch
  const link = { number, url, now, latest: latestCreatedAt(updatedAt, now) }
  const linked = isLinked ? await linkLiveOnBranch(tx, { repositoryId, branch: head }, link) : 0
  return { linked, followed: await followDraft(tx, { repositoryId, number }, { draft, opened, updatedAt, now }) }
}

export interface Merge {
  repositoryId: bigint
  number: number
  /** The head branch; null if the head is in another repository, such as a fork. */
  head: string | null
  base: string | null
  defaultBranch: string | null
  mergedAt: Date | null
}

/**
 * Archives the live activities of a merged pull request (docs/rules.md#merged-pull-requests). Activities that the
 * deletion of the branch or their expiry archived before become `merged` too.
 */
export async function archiveMerged(tx: Prisma.TransactionClient, merge: Merge, now: Date) {
  const { repositoryId, number, head, base, defaultBranch, mergedAt } = merge
  const merged = {
    pullRequest: { repositoryId, number },
    head: head === defaultBranch ? null : head,
    base,
    latest: mergedAt && new Date(mergedAt.getTime() + eventToleranceMs),
    deletedFrom: mergedAt && new Date(mergedAt.getTime() - eventToleranceMs),
  }
  return { merged: await archiveMergedActivities(tx, merged, now) }
}

/**
 * Archives the live activities of a deleted branch (docs/rules.md#deleted-branches). Activities created later belong to
 * a new branch of the same name. The event has no time; `pushed_at` of the repository is used instead. If nothing is
 * live, counts the activities that are merged already.
 */
export async function archiveBranch(
  tx: Prisma.TransactionClient,
  deleted: BranchOf & { pushedAt: Date | null },
  now: Date,
): Promise<{ archived: number; already_merged?: number }> {
  const archived = await archiveLiveOnBranch(tx, deleted, { now, latest: latestCreatedAt(deleted.pushedAt, now) })
  return archived > 0 ? { archived } : { archived, already_merged: await countMergedOnBranch(tx, deleted) }
}
