import type { Database } from '../../db/database.ts'

/** After how long without a request a repository that the App does not read is forgotten. */
const forgottenAfter = '24 hours'

/**
 * Forgets the repositories without the App that nobody asked about for long, and those beyond `keep`: their pull requests and
 * the observed work that has not ended. Returns how many.
 */
export async function forgetRepositories(db: Database, { now, keep }: { now: Date; keep: number }): Promise<number> {
  const { rows } = await db.query<{ id: bigint }>(
    `select repository_id as id from (
       select repository_id, asked_at, row_number() over (order by asked_at desc nulls last) as place
         from observed_repositories where not by_app) as asked
      where place > $2 or asked_at is null or asked_at <= $1::timestamptz - interval '${forgottenAfter}'
      order by repository_id limit 1000`,
    [now, keep],
  )
  let forgotten = 0
  for (const { id } of rows) forgotten += await forgetRepository(db, id)
  return forgotten
}

/** Locks the pull requests before the activities, as all code does. Keeps a repository that the App reads now. */
function forgetRepository(db: Database, id: bigint): Promise<number> {
  return db.transaction(async (tx) => {
    const deleted = await tx.$executeRaw`delete from observed_repositories where repository_id = ${id} and not by_app`
    if (deleted === 0) return 0
    await tx.$executeRaw`delete from pull_requests where repository_id = ${id}`
    await tx.$executeRaw`delete from pushed_branches where repository_id = ${id}`
    await tx.$executeRaw`
      delete from activities where repository_id = ${id} and source <> 'recorded' and ended_at is null`
    return 1
  })
}
