import type { Database } from '../../../db/database.ts'
import { Prisma } from '../../../db/generated/client.ts'
import { type BranchOf, fromPicked, liveOn, pick } from './branch-activities.sql.ts'

/** A live activity on a branch: recorded work, or a pushed branch. */
export interface BranchWork {
  id: string
  branch: string
  /** Whether the branch is known to have existed. The push of a pushed branch shows it. */
  seen: boolean
  isPushed: boolean
}

/** Finds the live recorded work of a repository that has a branch, and its live pushed branches. */
export function findBranchWork({ prisma }: Database, repositoryId: bigint, now: Date): Promise<BranchWork[]> {
  return prisma.$queryRaw<BranchWork[]>`
    select id, branch, source = 'branch' or seen_branch is not distinct from branch as seen, source = 'branch' as "isPushed"
      from activities
     where repository_id = ${repositoryId} and branch is not null and source in ('recorded', 'branch')
       and ended_at is null and expires_at > ${now}
     order by id`
}

/**
 * When the oldest live recorded work was created that a merge in this repository may archive; null without any. Crosses
 * repositories, as links do.
 */
export async function findOldestWork({ prisma }: Database, repositoryId: bigint, now: Date): Promise<Date | null> {
  const live = Prisma.sql`source = 'recorded' and ended_at is null and expires_at > ${now}`
  const [found] = await prisma.$queryRaw<{ oldest: Date | null }[]>`
    select least(
      (select min(created_at) from activities where repository_id = ${repositoryId} and branch is not null and ${live}),
      (select min(created_at) from activities where pr_repository_id = ${repositoryId} and pr_number is not null and ${live})) as oldest`
  return found?.oldest ?? null
}

/**
 * Records that a webhook event showed the branch to exist. Work that was updated after `until` is left out: it may be about
 * a branch of that name that does not exist yet. Null `until` includes all work.
 */
export async function markBranchSeen(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  { now, until }: { now: Date; until: Date | null },
): Promise<void> {
  const isOlder = Prisma.sql`updated_at <= coalesce(${until}::timestamptz, 'infinity')`
  await tx.$executeRaw`
    ${pick(Prisma.sql`${liveOn(branch, now)} and ${isOlder} and seen_branch is distinct from branch`)}
    update activities as activity set seen_branch = activity.branch ${fromPicked}`
}

/** Records that the branches of this work exist, where it is still on them. */
export async function saveSeen(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  work: readonly BranchWork[],
): Promise<void> {
  await tx.$executeRaw`
    ${pick(Prisma.sql`${isStillOn(repositoryId, work)} and seen_branch is distinct from branch`)}
    update activities as activity set seen_branch = activity.branch ${fromPicked}`
}

/** Archives the work that is still live and still on these branches, which were deleted. Returns how many activities it archived. */
export function archiveVanished(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { gone, now }: { gone: readonly BranchWork[]; now: Date },
): Promise<number> {
  return tx.$executeRaw`
    ${pick(Prisma.sql`${isStillOn(repositoryId, gone)} and ended_at is null and expires_at > ${now}`)}
    update activities as activity
       set status = 'archived', archived_reason = 'branch_deleted', archived_at = ${now}, ended_at = ${now}, updated_at = ${now}
    ${fromPicked}`
}

function isStillOn(repositoryId: bigint, work: readonly BranchWork[]): Prisma.Sql {
  const [ids, branches] = [work.map(({ id }) => id), work.map(({ branch }) => branch)]
  return Prisma.sql`repository_id = ${repositoryId}
    and (id, branch) in (select * from unnest(${ids}::text[], ${branches}::text[]))`
}
