import type { LimitName } from '../../../core/errors.ts'
import type { Database } from '../../db/database.ts'

/** How many records a repository holds, by the name of the limit on them; beyond that they are not counted. */
export type RecordCounts = Record<LimitName, number>

/** Counts the records of a repository that are live at `now`, and all of them. Each count ends at its limit. */
export async function countRecords(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  now: Date,
  limits: Readonly<RecordCounts>,
): Promise<RecordCounts> {
  // Observed work does not count, since no caller creates it.
  const recorded = `repository_id = $1 and source = 'recorded'`
  const count = (rows: string, limit: string) => `(select count(*)::int from (${rows} limit ${limit}) as counted)`
  const { rows } = await db.query<RecordCounts>(
    `select
       ${count(`select from activities where ${recorded} and ended_at is null and expires_at > $2`, '$3')} as live_activities,
       ${count('select from notables where repository_id = $1 and ended_at is null and expires_at > $2', '$4')} as notables,
       ${count(
         `select from notable_scope_keys as entry
           cross join lateral (
             select from notables where repository_id = $1 and id = entry.notable_id and ended_at is null and expires_at > $2 offset 0) as active
           where entry.repository_id = $1 and entry.kind = 'repository'`,
         '$5',
       )} as repository_notables,
       ${count(`(select 1 from activities where ${recorded} union all select 1 from notables where repository_id = $1)`, '$6')} as records`,
    [repositoryId, now, limits.live_activities, limits.notables, limits.repository_notables, limits.records],
  )
  const [counted] = rows
  if (!counted) throw new Error('The count returned no row')
  return counted
}
