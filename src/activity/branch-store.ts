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
 * Archives the live work on a branch that was created no later than `createdUntil`; null bounds nothing. What expired
 * before is written as expired, when it did. One statement: what another transaction does to a row meanwhile is seen.
 */
export function archiveLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, createdUntil }: { now: Date; createdUntil: Date | null },
): Promise<number> {
  return tx.$executeRaw`
    update activities
       set status = 'archived', archived_reason = case when expires_at <= ${now} then 'expired' else 'branch_deleted' end,
           archived_at = least(expires_at, ${now}), ended_at = least(expires_at, ${now}), updated_at = least(expires_at, ${now})
     where repository_id = ${repositoryId} and branch = ${branch} and ended_at is null
       and (${createdUntil}::timestamptz is null or created_at <= ${createdUntil}::timestamptz)`
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
export interface MergedWork {
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
function ofMerge({ pullRequest, head, base, createdUntil, deletedFrom }: MergedWork): Prisma.Sql {
  const { repositoryId, number } = pullRequest
  const linked = Prisma.sql`(pr_repository_id = ${repositoryId} and pr_number = ${number})`
  if (head === null) return linked
  return Prisma.sql`(${linked} or (
    repository_id = ${repositoryId} and branch = ${head} and pr_url is null
    and (base_branch is null or ${base}::text is null or base_branch = ${base}::text)
    and (${createdUntil}::timestamptz is null or created_at <= ${createdUntil}::timestamptz)
    and (archived_at is null or archived_reason <> 'branch_deleted' or ${deletedFrom}::timestamptz is null or archived_at >= ${deletedFrom}::timestamptz)))`
}

/**
 * Archives the live work of a merge, and says of work that its branch's deletion or its expiry archived first that it was
 * merged: `archived_at` stays, or is when it expired. One statement: of a deletion that commits meanwhile, as GitHub makes
 * the two at once, neither the old row nor the new one slips through.
 */
export function archiveMergedWork(tx: Prisma.TransactionClient, work: MergedWork, now: Date): Promise<number> {
  return tx.$executeRaw`
    update activities
       set status = 'archived', archived_reason = 'merged', updated_at = ${now},
           archived_at = coalesce(archived_at, least(expires_at, ${now})),
           ended_at = coalesce(ended_at, least(expires_at, ${now}))
     where (ended_at is null or archived_reason in ('branch_deleted', 'expired')) and ${ofMerge(work)}`
}

/** Links the live work of a branch that has no pull request yet to this one; as with `archiveLiveOnBranch`, by its age. */
export function linkLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { number, url, now, createdUntil }: { number: number; url: string; now: Date; createdUntil: Date | null },
): Promise<number> {
  return tx.$executeRaw`
    update activities
       set pr_url = ${url}, pr_repository_id = ${repositoryId}, pr_number = ${number}, updated_at = ${now}
     where repository_id = ${repositoryId} and branch = ${branch} and pr_url is null
       and ended_at is null and expires_at > ${now}
       and (${createdUntil}::timestamptz is null or created_at <= ${createdUntil}::timestamptz)`
}

/**
 * Lets the live work of a pull request follow whether it is a draft: the flag, and a status that says so; where the pull
 * request was just opened, `active` becomes such a status too. Crosses repositories, as the links do.
 */
export function followDraft(
  tx: Prisma.TransactionClient,
  { repositoryId, number }: PullRequestOf,
  { draft, opened, now }: { draft: boolean; opened: boolean; now: Date },
): Promise<number> {
  const status = draft ? 'draft-pr-open' : 'ready-for-review'
  const follows = opened ? ['draft-pr-open', 'ready-for-review', 'active'] : ['draft-pr-open', 'ready-for-review']
  return tx.$executeRaw`
    update activities
       set draft_pr = ${draft}, status = case when status = any(${follows}) then ${status} else status end, updated_at = ${now}
     where pr_repository_id = ${repositoryId} and pr_number = ${number} and ended_at is null and expires_at > ${now}
       and (draft_pr <> ${draft} or (status = any(${follows}) and status <> ${status}))`
}

/** A heartbeat for all live work on a branch, as `beat` gives one to a single record. */
export function beatLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, ttlMs, maxTtlMs }: { now: Date; ttlMs: number; maxTtlMs: number | null },
): Promise<number> {
  return tx.$executeRaw`
    update activities
       set heartbeat_at = greatest(heartbeat_at, ${now}::timestamptz),
           expires_at = greatest(expires_at, least(
             ${now}::timestamptz + ${ttlMs}::double precision * interval '1 millisecond',
             created_at + ${maxTtlMs}::double precision * interval '1 millisecond'))
     where repository_id = ${repositoryId} and branch = ${branch} and ended_at is null and expires_at > ${now}`
}

export async function hasLiveOnBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  now: Date,
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from activities
     where repository_id = ${repositoryId} and branch = ${branch} and ended_at is null and expires_at > ${now} limit 1`
  return found.length > 0
}
