import { Prisma } from '../../../db/generated/client.ts'
import { extendedExpirySql } from '../lifetime.ts'
import { eventToleranceMs } from './event-time.ts'

export interface BranchOf {
  /** GitHub's id. */
  repositoryId: bigint
  branch: string
}

export interface PullRequestOf {
  repositoryId: bigint
  number: number
}

/**
 * Locks the rows that a statement changes, all in the same order, so that two statements on the same rows do not
 * deadlock. A row is read again once it is locked. `fromPicked` joins the locked rows.
 */
export function pick(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    with picked as materialized (
      select repository_id, id from activities where ${condition} order by repository_id, id for update)`
}

export const fromPicked = Prisma.sql`
      from picked where activity.repository_id = picked.repository_id and activity.id = picked.id`

/** Whether an activity was recorded. Observed work follows its pull request, not the events of its branch. */
const isRecorded = Prisma.sql`source = 'recorded'`

/** Whether a recorded activity is on the branch and live at `now`. */
export function liveOn({ repositoryId, branch }: BranchOf, now: Date): Prisma.Sql {
  return Prisma.sql`repository_id = ${repositoryId} and branch = ${branch} and ${isRecorded} and ended_at is null and expires_at > ${now}`
}

/** Whether an activity was created at `latest` or before; true if `latest` is null (see `latestCreatedAt`). */
function createdNoLaterThan(latest: Date | null): Prisma.Sql {
  return Prisma.sql`created_at <= coalesce(${latest}::timestamptz, 'infinity')`
}

/**
 * Archives the activities on a branch that have not ended and were created at `latest` or before. An activity that has
 * expired is archived as expired, at its `expires_at`.
 */
export function archiveLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, latest }: { now: Date; latest: Date | null },
): Promise<number> {
  const open = Prisma.sql`repository_id = ${repositoryId} and branch = ${branch} and ${isRecorded} and ended_at is null`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${open} and ${createdNoLaterThan(latest)}`)}
    update activities as activity
       set status = 'archived', archived_reason = case when expires_at <= ${now} then 'expired' else 'branch_deleted' end,
           archived_at = least(expires_at, ${now}), ended_at = least(expires_at, ${now}), updated_at = least(expires_at, ${now})
    ${fromPicked}`
}

export function countMergedOnBranch(tx: Prisma.TransactionClient, { repositoryId, branch }: BranchOf): Promise<number> {
  return tx.activity.count({
    where: { repository_id: repositoryId, branch, source: 'recorded', archived_reason: 'merged' },
  })
}

export interface MergedPullRequest {
  pullRequest: PullRequestOf
  /** The head branch; null if it is the default branch or in another repository. */
  head: string | null
  /** The branch merged into, if the event names it. */
  base: string | null
  /** Activities on the branch that were created later do not belong to the merge; null is no limit. */
  latest: Date | null
  /** Activities whose branch was deleted earlier belong to another branch of the same name; null is no limit. */
  deletedFrom: Date | null
}

/**
 * The condition for the activities of a merge: those linked to the pull request, in any repository, and those on its head
 * branch without a link. Crosses repositories on purpose, by the index of links: an activity may be recorded in one
 * repository and merged in another.
 */
function ofMerge({ pullRequest, head, base, latest, deletedFrom }: MergedPullRequest): Prisma.Sql {
  const { repositoryId, number } = pullRequest
  const linked = Prisma.sql`(pr_repository_id = ${repositoryId} and pr_number = ${number})`
  if (head === null) return linked
  return Prisma.sql`(${linked} or (
    repository_id = ${repositoryId} and branch = ${head} and pr_url is null
    and (base_branch is null or ${base}::text is null or base_branch = ${base}::text)
    and ${createdNoLaterThan(latest)}
    and (archived_at is null or archived_reason <> 'branch_deleted' or ${deletedFrom}::timestamptz is null or archived_at >= ${deletedFrom}::timestamptz)))`
}

/**
 * Archives the live activities of a merge as merged. Activities that the deletion of the branch or their expiry archived
 * before become merged too and keep their `archived_at`. It is one statement because GitHub sends the merge and the
 * deletion at the same time, and either may commit first.
 */
export function archiveMergedActivities(
  tx: Prisma.TransactionClient,
  merged: MergedPullRequest,
  now: Date,
): Promise<number> {
  const open = Prisma.sql`${isRecorded} and (ended_at is null or archived_reason in ('branch_deleted', 'expired'))`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${open} and ${ofMerge(merged)}`)}
    update activities as activity
       set status = 'archived', archived_reason = 'merged', updated_at = ${now},
           archived_at = coalesce(archived_at, least(expires_at, ${now})),
           ended_at = coalesce(ended_at, least(expires_at, ${now}))
    ${fromPicked}`
}

/** Links the live activities on a branch that have no pull request and were created at `latest` or before. */
export function linkLiveOnBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { number, url, now, latest }: { number: number; url: string; now: Date; latest: Date | null },
): Promise<number> {
  return tx.$executeRaw`
    ${pick(Prisma.sql`${liveOn(branch, now)} and pr_url is null and ${createdNoLaterThan(latest)}`)}
    update activities as activity
       set pr_url = ${url}, pr_repository_id = ${branch.repositoryId}, pr_number = ${number}, updated_at = ${now}
    ${fromPicked}`
}

/**
 * Sets the draft flag of the live activities of a pull request, and their status if it says draft or ready. If the pull
 * request was just opened, `active` changes to such a status too. Activities that a newer event has changed stay as they
 * are; a null `updatedAt` is not compared. Crosses repositories, as links do.
 */
export function followDraft(
  tx: Prisma.TransactionClient,
  { repositoryId, number }: PullRequestOf,
  { draft, opened, updatedAt, now }: { draft: boolean; opened: boolean; updatedAt: Date | null; now: Date },
): Promise<number> {
  const status = draft ? 'draft-pr-open' : 'ready-for-review'
  const follows = opened ? ['draft-pr-open', 'ready-for-review', 'active'] : ['draft-pr-open', 'ready-for-review']
  const linked = Prisma.sql`pr_repository_id = ${repositoryId} and pr_number = ${number}`
  const at = Prisma.sql`coalesce(${updatedAt}::timestamptz, pr_event_at)`
  const isNewer = Prisma.sql`(pr_event_at is null or pr_event_at <= ${at})`
  const differs = Prisma.sql`(draft_pr <> ${draft} or (status = any(${follows}) and status <> ${status}))`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${linked} and ${isRecorded} and ended_at is null and expires_at > ${now} and ${isNewer} and (${differs} or pr_event_at is distinct from ${at})`)}
    update activities as activity
       set draft_pr = ${draft}, status = case when status = any(${follows}) then ${status} else status end,
           pr_event_at = ${at}, updated_at = case when ${differs} then ${now} else updated_at end
    ${fromPicked}`
}

/**
 * A heartbeat at the instant `at` for all live activities on a branch, as `heartbeatRow` for one activity. Not for
 * activities that were created later.
 */
export function heartbeatLiveOnBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { now, at, ttlMs, maxTtlMs }: { now: Date; at: Date; ttlMs: number; maxTtlMs: number | null },
): Promise<number> {
  return tx.$executeRaw`
    ${pick(Prisma.sql`${liveOn(branch, now)} and ${createdNoLaterThan(new Date(at.getTime() + eventToleranceMs))}`)}
    update activities as activity
       set heartbeat_at = greatest(activity.heartbeat_at, activity.created_at, heartbeat.at), expires_at = ${Prisma.raw(extendedExpirySql)}
      from picked,
           (select ${at}::timestamptz as at, ${ttlMs}::double precision as ttl_ms, ${maxTtlMs}::double precision as max_ttl_ms) as heartbeat
     where activity.repository_id = picked.repository_id and activity.id = picked.id`
}

export async function hasLiveOnBranch(tx: Prisma.TransactionClient, branch: BranchOf, now: Date): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`select from activities where ${liveOn(branch, now)} limit 1`
  return found.length > 0
}
