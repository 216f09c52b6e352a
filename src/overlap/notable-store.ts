import type { Database } from '../db/database.ts'
import { readPreparedForSizes } from '../db/prepared.ts'
import { sqlParams } from '../db/sql-params.ts'
import { candidates, notableIndex, pagesOf, rowsOf } from './candidate-sql.ts'
import { type LiveOf, lists } from './compared-activity.ts'
import type { IndexLookups } from './index-lookups.ts'

export interface ComparedNotable {
  id: string
  title: string
  importance: string
  blocking: boolean
  areas: string[]
  paths: string[]
}

/** The sizes of the tables where the repository `$1` has active notables, in pages; null where it has none, as many do. */
export const notablePagesSql = `case when exists (select from notables where repository_id = $1 and ended_at is null)
  then array[${['notables', 'notable_scope_keys'].map(pagesOf).join(', ')}] end`

/**
 * The active notables whose scope may overlap, and those about the whole repository, without those whose `applies_until` has
 * passed. Found by index: no other is read.
 */
export async function comparedNotables(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now }: LiveOf,
  probes: IndexLookups,
  pages: readonly number[],
): Promise<ComparedNotable[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const found = `select id, verdict from (${candidates(probes, bind, notableIndex)}) as meeting
    union all select notable_id, 0 from notable_scope_keys where repository_id = $1 and kind = 'repository'`
  // As one value, since there is an index of `expires_at` across repositories, which PostgreSQL might read instead.
  const active = `ended_at is null and least(expires_at, applies_until) > ${at}`
  const columns = `id, title, importance, blocking, ${lists}`
  return readPreparedForSizes(
    pool,
    pages,
    `select id, title, importance, blocking, areas, paths from (${rowsOf('notables', found, columns, active)}) as notable`,
    values,
  )
}
