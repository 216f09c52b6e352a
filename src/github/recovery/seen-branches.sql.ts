import type { BranchOf } from '../../activity/events/branch-activities.sql.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { BranchWork } from './reconcile-rules.ts'
import { clearBranchEtags } from './reconcile-store.ts'

/**
 * Records that a webhook event showed the branch to exist. Work that was updated after `until` is left out: it may be about
 * a branch of that name that does not exist yet. Null `until` includes all work.
 *
 * The list of branches that reconciliation knows may be older, and the branch may have been deleted since. So the next pass
 * requests the list again. The activities are locked first, in the order that all statements use.
 */
export async function markBranchSeen(
  tx: Prisma.TransactionClient,
  { repositoryId, branch }: BranchOf,
  { now, until }: { now: Date; until: Date | null },
): Promise<void> {
  const marked = await tx.$executeRaw`
    with picked as materialized (
      select repository_id, id, branch from activities
       where repository_id = ${repositoryId} and branch = ${branch} and source = 'recorded' and ended_at is null and expires_at > ${now}
         and (${until}::timestamptz is null or updated_at <= ${until}::timestamptz)
       order by id for update)
    insert into branch_sightings (repository_id, activity_id, branch, seen)
    select repository_id, id, branch, true from picked
    on conflict (repository_id, activity_id) do update set branch = excluded.branch, seen = true
     where not (branch_sightings.seen and branch_sightings.branch = excluded.branch)`
  if (marked > 0) await clearBranchEtags(tx, repositoryId)
}

/** Saves for each activity whether its branch exists. A branch that a webhook event marked as seen meanwhile stays seen. */
export async function saveSeenBranches(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { work, branches }: { work: readonly BranchWork[]; branches: ReadonlySet<string> },
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
}

/** Forgets the branches of work that has ended, or that a pull request has taken over. */
export async function forgetEndedWork(tx: Prisma.TransactionClient, repositoryId: bigint, now: Date): Promise<void> {
  await tx.$executeRaw`
    delete from branch_sightings as sighting using activities as activity
     where sighting.repository_id = ${repositoryId}
       and activity.repository_id = sighting.repository_id and activity.id = sighting.activity_id
       and (activity.ended_at is not null or activity.expires_at <= ${now} or activity.source = 'pull_request')`
}
