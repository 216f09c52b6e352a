import { mostSent } from '../../core/schemas/live.ts'
import type { Database } from '../db/database.ts'
import type { Change } from './change-log.sql.ts'

/** The records whose time is over although nobody has saved that yet. So the change log does not have it. */
export async function findUnsavedExpiries(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  now: Date,
): Promise<Change[]> {
  const { rows } = await db.query<Change>(
    `(select 'activity' as kind, id from activities
       where repository_id = $1 and ended_at is null and expires_hour <= $2 and expires_at <= $3 limit $4)
     union all
     (select 'notable', id from notables where repository_id = $1 and ended_at is null and expires_at <= $3 limit $4)`,
    [repositoryId, Math.floor(now.getTime() / 3_600_000), now, mostSent + 1],
  )
  return rows
}
