import { Prisma } from '../db/generated/client.ts'

/** What an event says of a branch of a repository, by GitHub's id. */
export interface BranchOf {
  repositoryId: bigint
  branch: string
}

export interface PullRequestOf {
  repositoryId: bigint
  number: number
}

/**
 * The rows of a change of several, locked in one order: two changes of the same rows wait for each other, and never in a
 * circle. What another transaction does to a row meanwhile is seen. `changed` joins them.
 */
function pick(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    with picked as materialized (
      select repository_id, id from activities where ${condition} order by repository_id, id for update)`
}

const changed = Prisma.sql`
      from picked where activity.repository_id = picked.repository_id and activity.id = picked.id`

/** Live at `now`, on that branch. */
function liveOn({ repositoryId, branch }: BranchOf, now: Date): Prisma.Sql {
  return Prisma.sql`repository_id = ${repositoryId} and branch = ${branch} and ended_at is null and expires_at > ${now}`
}

/** Whether it was created no later than that; null bounds nothing. */
function createdBy(until: Date | null): Prisma.Sql {
  return Prisma.sql`(${until}::timestamptz is null or created_at <= ${until}::timestamptz)`
}

/**
 * Archives the live work on a branch that was created no later than `createdUntil`. What expired before is written as
 * expired, when it did.
 */
export function archiveLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, createdUntil }: { now: Date; createdUntil: Date | null },
): Promise<number> {
  const live = Prisma.sql`repository_id = ${repositoryId} and branch = ${branch} and ended_at is null`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${live} and ${createdBy(createdUntil)}`)}
    update activities as activity
       set status = 'archived', archived_reason = case when expires_at <= ${now} then 'expired' else 'branch_deleted' end,
           archived_at = least(expires_at, ${now}), ended_at = least(expires_at, ${now}), updated_at = least(expires_at, ${now})
    ${changed}`
}

/** How much work on a branch is known to be merged. */
export async function countMergedOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
): Promise<number> {
  const [found] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::integer as count from activities
     where repository_id = ${repositoryId} and branch = ${branch} and archived_reason = 'merged'`
  return found?.count ?? 0
}

/** Which records a merge speaks of: those linked to the pull request, in whatever repository, and those of its branch. */
export interface MergedPullRequest {
  pullRequest: PullRequestOf
  /** The head branch, where the head is in the same repository and not its default branch. */
  head: string | null
  /** The branch merged into, where the event says so. */
  base: string | null
  /** Work on the branch that was created after this instant is other work; null bounds nothing. */
  createdUntil: Date | null
  /** Work on the branch that a deletion archived before this instant was another branch of that name. */
  deletedFrom: Date | null
}

/**
 * The condition for that work. Crosses repositories on purpose, by the index of links: work may be recorded in one
 * repository and merged in another.
 */
function ofMerge({ pullRequest, head, base, createdUntil, deletedFrom }: MergedPullRequest): Prisma.Sql {
  const { repositoryId, number } = pullRequest
  const linked = Prisma.sql`(pr_repository_id = ${repositoryId} and pr_number = ${number})`
  if (head === null) return linked
  return Prisma.sql`(${linked} or (
    repository_id = ${repositoryId} and branch = ${head} and pr_url is null
    and (base_branch is null or ${base}::text is null or base_branch = ${base}::text)
    and ${createdBy(createdUntil)}
    and (archived_at is null or archived_reason <> 'branch_deleted' or ${deletedFrom}::timestamptz is null or archived_at >= ${deletedFrom}::timestamptz)))`
}

/**
 * Archives the live work of a merge, and says of work that its branch's deletion or its expiry archived first that it was
 * merged: `archived_at` stays, or is when it expired. One statement: a deletion that commits meanwhile, as GitHub tells
 * of the two at once, does not slip through.
 */
export function archiveMergedWork(tx: Prisma.TransactionClient, work: MergedPullRequest, now: Date): Promise<number> {
  const open = Prisma.sql`(ended_at is null or archived_reason in ('branch_deleted', 'expired'))`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${open} and ${ofMerge(work)}`)}
    update activities as activity
       set status = 'archived', archived_reason = 'merged', updated_at = ${now},
           archived_at = coalesce(archived_at, least(expires_at, ${now})),
           ended_at = coalesce(ended_at, least(expires_at, ${now}))
    ${changed}`
}

/** Links the live work of a branch that has no pull request yet, and was created no later than `createdUntil`, to this one. */
export function linkLiveOnBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { number, url, now, createdUntil }: { number: number; url: string; now: Date; createdUntil: Date | null },
): Promise<number> {
  return tx.$executeRaw`
    ${pick(Prisma.sql`${liveOn(branch, now)} and pr_url is null and ${createdBy(createdUntil)}`)}
    update activities as activity
       set pr_url = ${url}, pr_repository_id = ${branch.repositoryId}, pr_number = ${number}, updated_at = ${now}
    ${changed}`
}

/**
 * Lets the live work of a pull request follow whether it is a draft: the flag, and a status that says so; where the pull
 * request was just opened, `active` becomes such a status too. Work that has followed a later event than that of
 * `updatedAt` is left alone; null is not compared. Crosses repositories, as the links do.
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
  const isNews = Prisma.sql`(pr_event_at is null or pr_event_at <= ${at})`
  const differs = Prisma.sql`(draft_pr <> ${draft} or (status = any(${follows}) and status <> ${status}))`
  return tx.$executeRaw`
    ${pick(Prisma.sql`${linked} and ended_at is null and expires_at > ${now} and ${isNews} and (${differs} or pr_event_at is distinct from ${at})`)}
    update activities as activity
       set draft_pr = ${draft}, status = case when status = any(${follows}) then ${status} else status end,
           pr_event_at = ${at}, updated_at = case when ${differs} then ${now} else updated_at end
    ${changed}`
}

/** A heartbeat for all live work on a branch, as `beat` gives one to a single record. */
export function heartbeatLiveOnBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { now, ttlMs, maxTtlMs }: { now: Date; ttlMs: number; maxTtlMs: number | null },
): Promise<number> {
  return tx.$executeRaw`
    ${pick(liveOn(branch, now))}
    update activities as activity
       set heartbeat_at = greatest(heartbeat_at, ${now}::timestamptz),
           expires_at = greatest(expires_at, least(
             ${now}::timestamptz + ${ttlMs}::double precision * interval '1 millisecond',
             created_at + ${maxTtlMs}::double precision * interval '1 millisecond'))
    ${changed}`
}

export async function hasLiveOnBranch(tx: Prisma.TransactionClient, branch: BranchOf, now: Date): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`select 1 from activities where ${liveOn(branch, now)} limit 1`
  return found.length > 0
}
