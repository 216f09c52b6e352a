import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { deletePushedBranches } from './branches/pushed-branches.sql.ts'

/**
 * Ends all observed work of a repository as closed, and forgets its pull requests: the App was uninstalled, or nothing is
 * observed there any more. Recorded work stays. Returns how many activities ended.
 */
export async function forgetObservedWork(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  now: Date,
): Promise<number> {
  // Pull requests are locked before activities, as everywhere.
  await tx.$executeRaw`
    delete from pull_requests where repository_id = ${repositoryId} and number in (
      select number from pull_requests where repository_id = ${repositoryId} order by number for update)`
  await deletePushedBranches(tx, repositoryId)
  await tx.$executeRaw`delete from observed_repositories where repository_id = ${repositoryId}`
  return closeRecords(tx, repositoryId, Prisma.sql`source <> 'recorded'`, now)
}

/** Forgets all pushes to branches of a repository, and ends their records as closed. Returns how many ended. */
export async function forgetPushedBranches(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  now: Date,
): Promise<number> {
  if ((await deletePushedBranches(tx, repositoryId)) === 0) return 0
  return closeRecords(tx, repositoryId, Prisma.sql`source = 'branch'`, now)
}

function closeRecords(tx: Prisma.TransactionClient, repositoryId: bigint, which: Prisma.Sql, now: Date) {
  return tx.$executeRaw`
    with picked as materialized (
      select id from activities
       where repository_id = ${repositoryId} and ${which} and ended_at is null and expires_at > ${now}
       order by id for update)
    update activities as activity
       set status = 'archived', archived_reason = 'closed', archived_at = ${now}, ended_at = ${now}, updated_at = ${now}
      from picked where activity.repository_id = ${repositoryId} and activity.id = picked.id`
}

/** Deletes up to `size` pull requests that ended at `endedUntil` or before. Returns how many. */
export async function deleteEndedPullRequests(db: Database, endedUntil: Date, size: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from pull_requests as pull
      using (select repository_id, number from pull_requests where state <> 'open' and github_updated_at <= $1
              order by github_updated_at limit $2 for update skip locked) as ended
      where pull.repository_id = ended.repository_id and pull.number = ended.number`,
    [endedUntil, size],
  )
  return rowCount ?? 0
}

/** Deletes up to `size` pushes that are as old as `pushedUntil` and have no live record. Returns how many. */
export async function deleteOldPushes(db: Database, pushedUntil: Date, size: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from pushed_branches as pushed
      using (select repository_id, branch from pushed_branches as known
              where pushed_at <= $1 and not exists (
                select from activities where repository_id = known.repository_id and id = known.activity_id and ended_at is null)
              order by pushed_at limit $2 for update skip locked) as old
      where pushed.repository_id = old.repository_id and pushed.branch = old.branch`,
    [pushedUntil, size],
  )
  return rowCount ?? 0
}
