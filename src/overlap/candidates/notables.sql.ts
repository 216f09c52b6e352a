import type { Database } from '../../db/database.ts'
import { readPreparedForSizes } from '../../db/prepared.ts'
import { sqlParams } from '../../db/sql-params.ts'
import { lookupParams, notableIndex, pagesOf, rowsOf, selectByIndex } from './find-by-index.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { UNDECIDED } from './index-result.ts'
import { areasColumn, type ComparedNotable, firstPaths, hasMorePaths, type LiveFilter, sizeOfPaths } from './rows.ts'

/** What a check reads of the paths of notables: these are not cached. Of the others it reads the first path, and is not whole. */
const mostBytes = 2 * 1024 * 1024

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
  // The paths are read only after their sizes are added up.
  const rows = rowsOf(
    'notables',
    found,
    'id, title, importance, blocking, author_login, applies_until, areas, paths',
    active,
  )
  const sized = `select *, sum(${sizeOfPaths}) over (order by blocking desc, importance = 'critical' desc, id desc) as bytes
    from (${rows}) as notable`
  return readPreparedForSizes(
    db,
    pages,
    `select id, title, importance, blocking, author_login, applies_until, ${areasColumn},
        case when bytes <= ${mostBytes} then ${firstPaths} else array_to_json(paths[1:1]) end as paths,
        ${hasMorePaths} or bytes > ${mostBytes} as is_cut
       from (${sized}) as notable`,
    values,
  )
}
