import type { Database } from '../../db/database.ts'
import { readPreparedForSizes } from '../../db/prepared.ts'
import { sqlParams } from '../../db/sql-params.ts'
import { lookupParams, notableIndex, pagesOf, rowsOf, selectByIndex } from './find-by-index.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { UNDECIDED } from './index-result.ts'
import { type ComparedNotable, type LiveFilter, listColumns } from './rows.ts'

/** The sizes of the notable tables in pages; null if the repository `$1` has no active notables. */
export const notablePagesSql = `case when exists (select from notables where repository_id = $1 and ended_at is null)
  then array[${['notables', 'notable_scope_keys'].map(pagesOf).join(', ')}] end`

/**
 * Loads the active notables whose scope may overlap, and those about the whole repository. Leaves out those whose
 * `applies_until` has passed. Reads no other notable.
 */
export async function loadNotables(
  db: Pick<Database, 'pool'>,
  { repositoryId, now }: LiveFilter,
  lookups: IndexLookups,
  pages: readonly number[],
): Promise<ComparedNotable[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const found = `select id, result from (${selectByIndex(lookups, lookupParams(bind), notableIndex)}) as by_scope
    union all select notable_id, ${UNDECIDED} from notable_scope_keys where repository_id = $1 and kind = 'repository'`
  // As one expression: PostgreSQL could otherwise use the index on `expires_at`, which covers all repositories.
  const active = `ended_at is null and least(expires_at, applies_until) > ${at}`
  const columns = `id, title, importance, blocking, author_login, ${listColumns}`
  return readPreparedForSizes(
    db,
    pages,
    `select id, title, importance, blocking, author_login, areas, paths, is_cut from (${rowsOf('notables', found, columns, active)}) as notable`,
    values,
  )
}
