import type { BranchOf } from '../../activity/branch-activities.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { BranchWork } from './reconcile-rules.ts'

/** The live work of a repository that has a branch. */
export function findBranchWork({ prisma }: Database, repositoryId: bigint, now: Date): Promise<BranchWork[]> {
  return prisma.$queryRaw<BranchWork[]>`
    select activity.id, activity.branch, sighting.seen
      from activities as activity
      left join branch_sightings as sighting
        on sighting.repository_id = activity.repository_id and sighting.activity_id = activity.id and sighting.branch = activity.branch
     where activity.repository_id = ${repositoryId} and activity.branch is not null
       and activity.ended_at is null and activity.expires_at > ${now}`
}

/**
 * A delivery told of the branch: it is there, or was. Work that is newer than what was told, or was changed since, may mean
 * a branch of that name that is still to come; `until` null bounds nothing. The list of branches that reconciliation knows
 * may be from before, and the branch gone again: it is asked for anew. The work is locked first, in one order, as by all
 * that changes it.
 */
export async function markBranchSeen(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, until }: { now: Date; until: Date | null },
): Promise<void> {
  const sighted = await tx.$executeRaw`
    with picked as materialized (
      select repository_id, id, branch from activities
       where repository_id = ${repositoryId} and branch = ${branch} and ended_at is null and expires_at > ${now}
         and (${until}::timestamptz is null or updated_at <= ${until}::timestamptz)
       order by id for update)
    insert into branch_sightings (repository_id, activity_id, branch, seen)
    select repository_id, id, branch, true from picked
    on conflict (repository_id, activity_id) do update set branch = excluded.branch, seen = true
     where not (branch_sightings.seen and branch_sightings.branch = excluded.branch)`
  if (sighted === 0) return
  await tx.$executeRaw`update reconciliations set heads_etags = '{}' where repository_id = ${repositoryId}`
}

/**
 * Keeps for each piece of work whether its branch is there, and forgets those that have ended. What a delivery told while
 * GitHub was asked stays.
 */
export async function saveSeenBranches(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { work, branches, now }: { work: readonly BranchWork[]; branches: ReadonlySet<string>; now: Date },
): Promise<void> {
  const ids = work.map(({ id }) => id)
  await tx.$executeRaw`
    with picked as materialized (
      select repository_id, id, branch from activities where repository_id = ${repositoryId} and id = any(${ids})
       order by id for update)
    insert into branch_sightings (repository_id, activity_id, branch, seen)
    select picked.repository_id, picked.id, looked.branch, looked.seen
      from unnest(${ids}::text[], ${work.map(({ branch }) => branch)}::text[], ${work.map(({ branch }) => branches.has(branch))}::boolean[])
             as looked(id, branch, seen)
      join picked on picked.id = looked.id and picked.branch = looked.branch
    on conflict (repository_id, activity_id) do update
       set branch = excluded.branch,
           seen = excluded.seen or (branch_sightings.seen and branch_sightings.branch = excluded.branch)`
  await tx.$executeRaw`
    delete from branch_sightings as sighting using activities as activity
     where sighting.repository_id = ${repositoryId}
       and activity.repository_id = sighting.repository_id and activity.id = sighting.activity_id
       and (activity.ended_at is not null or activity.expires_at <= ${now})`
}

/**
 * The list of branches is not to be asked for by its ETags where a sighting is not of the list: whether that branch is there
 * shows in the list alone. After the row of the reconciliation is locked, so that a sighting of this moment comes after it.
 */
export async function dropBranchEtags(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { work, branches }: { work: readonly BranchWork[]; branches: ReadonlySet<string> },
): Promise<void> {
  const there = work.filter(({ branch }) => branches.has(branch))
  await tx.$executeRaw`
    update reconciliations set heads_etags = '{}'
     where repository_id = ${repositoryId} and exists (
       select from branch_sightings as sighting
        where sighting.repository_id = ${repositoryId} and sighting.seen and not exists (
          select from unnest(${there.map(({ id }) => id)}::text[], ${there.map(({ branch }) => branch)}::text[]) as there(id, branch)
           where there.id = sighting.activity_id and there.branch = sighting.branch))`
}
