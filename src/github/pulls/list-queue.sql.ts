import type { Repository } from '../../context.ts'
import type { Database } from '../../db/database.ts'

/**
 * The repositories that the App reads and whose pull requests are to be listed, the longest waiting first: those that were
 * listed at `listedUntil` or before, and those whose last listing failed at `failedUntil` or before.
 */
export async function findRepositoriesToList(
  db: Database,
  { listedUntil, failedUntil }: { listedUntil: Date; failedUntil: Date },
): Promise<Repository[]> {
  const { rows } = await db.query<{ repository_id: bigint; owner: string; name: string; default_branch: string }>(
    `select repository_id, known.owner, known.name, known.default_branch
       from observed_repositories as observed join repositories as known using (repository_id)
      where observed.by_app
        and (failed_at <= $2 or (failed_at is null and (listed_at is null or listed_at <= $1)))
      order by listed_at nulls first, repository_id`,
    [listedUntil, failedUntil],
  )
  return rows.map(({ repository_id: id, owner, name, default_branch: defaultBranch }) => ({
    ...{ id, owner, name, defaultBranch },
  }))
}
