import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
import type { ComparedNotable, LiveFilter } from '../../../core/rules/candidates/rows.ts'
import { areasColumn, firstPaths, hasMorePaths, sizeOfPaths } from '../../../core/scope/columns.ts'
import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import { sqlParams } from '../../db/sql/sql-params.ts'
import { notableIndex, parseFinds, rowsOf, selectByIndex } from './find-by-index.sql.ts'

/** How many bytes of paths of notables a check reads, since these are not cached. Of further notables it reads the first path alone, and says that it is incomplete. */
const mostBytes = 2 * 1024 * 1024

/** Whether the repository `$1` has active notables. */
export const hasNotablesSql = 'exists (select from notables where repository_id = $1 and ended_at is null)'

/**
 * Loads the active notables whose scope may overlap each of these proposals, and those about the whole repository. Leaves out
 * those whose `applies_until` has passed. Reads no other notable, and each once.
 */
export async function loadNotables(
  db: Pick<Database, 'pool'>,
  { repositoryId, now }: LiveFilter,
  lookups: readonly IndexLookups[],
): Promise<ComparedNotable[][]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const found = `${selectByIndex(lookups, bind, notableIndex)}
    union all select notable_id, null from notable_scope_keys where repository_id = $1 and kind = 'repository'`
  // As one expression: PostgreSQL could otherwise use the index on `expires_at`, which covers all repositories.
  const active = `ended_at is null and least(expires_at, applies_until) > ${at}`
  // The paths are read only after their sizes are added up.
  const rows = rowsOf(
    'notables',
    found,
    'id, title, category, importance, blocking, author_login, applies_until, expires_at, areas, paths',
    active,
  )
  const sized = `select *, sum(${sizeOfPaths}) over (order by blocking desc, importance = 'critical' desc, id desc) as bytes
    from (${rows}) as notable`
  const notables = await readPrepared<ComparedNotable & { finds: string | null }>(
    db,
    ['notables', 'notable_scope_keys'],
    `select finds, id, title, category, importance, blocking, author_login, applies_until, expires_at, ${areasColumn},
        case when bytes <= ${mostBytes} then ${firstPaths} else array_to_json(paths[1:1]) end as paths,
        ${hasMorePaths} or bytes > ${mostBytes} as is_cut
       from (${sized}) as notable`,
    values,
  )
  const byProposal = lookups.map((): ComparedNotable[] => [])
  for (const { finds, ...notable } of notables) {
    const places = finds === null ? byProposal.keys() : parseFinds(finds).map(({ nth }) => nth)
    for (const nth of places) byProposal[nth]?.push(notable)
  }
  return byProposal
}
