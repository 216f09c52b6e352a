import { mostPageBytes } from '../lib/page-bytes.ts'
import type { Database } from './database.ts'
import { type SqlParams, sqlParams } from './sql-params.ts'

/** Which page of a repository's records to read. */
export interface RecordPage<Filters> {
  repositoryId: bigint
  filters: Filters
  /** The page begins after this id. */
  after: string | undefined
  count: number
  now: Date
  /** Records that ended then or before are left out. */
  endedAfter: Date
}

/** The rows of a page. */
export interface FoundPage<Row> {
  rows: Row[]
  /** Whether more records follow. */
  more: boolean
}

/**
 * The statement for a page of records, newest first, from `select … from …`. In the conditions $1 is the repository, $2 is
 * `now` and $3 is `endedAfter`; `bind` adds a value.
 */
export function recordPageSql<Filters>(
  select: string,
  page: RecordPage<Filters>,
  conditionsOf: (filters: Filters, bind: SqlParams) => string[],
): { text: string; values: unknown[] } {
  const values: unknown[] = [page.repositoryId, page.now, page.endedAfter]
  const bind = sqlParams(values)
  // A statement has to use every parameter, and not every condition uses these.
  const used = ['repository_id = $1', '$2::timestamptz is not null', '$3::timestamptz is not null']
  const conditions = [...used, ...conditionsOf(page.filters, bind)]
  if (page.after !== undefined) conditions.push(`id < ${bind(page.after)}`)
  const text = `${select} where ${conditions.join(' and ')} order by id desc limit ${bind(page.count)}`
  return { text, values }
}

/** Up to how many bytes a scope takes in a row that is read at once: a hundred of them are no large page. */
const shortBytes = 8 * 1024

/** Whether the scope of a row is short, without reading a value that is stored elsewhere or compressed. True of nearly all rows. */
const isShort = `pg_column_compression(areas) is null and pg_column_compression(paths) is null
  and pg_column_size(areas) + pg_column_size(paths) <= ${shortBytes}`

/** The columns of a scope, null where it is long. Lists show no `area_keys`. */
const scopeColumns: Readonly<Record<string, string>> = {
  areas: `case when ${isShort} then areas end as areas`,
  paths: `case when ${isShort} then paths end as paths`,
  area_keys: `'{}'::text[] as area_keys`,
}

/** The columns of a list, in which long scopes are left out. `withLongScopes` reads them. */
export function columnsOfList(names: readonly string[]): string {
  return names.map((name) => scopeColumns[name] ?? name).join(', ')
}

/** The scope in a row of a list. Both are null where it is long. */
export interface ListedScope {
  areas: string[] | null
  paths: string[] | null
}

interface FoundScope {
  id: string | null
  areas: string[]
  paths: string[]
}

/**
 * The rows of a page with their scopes, up to the row with which the long ones exceed the size of a page. These are read one
 * after the other: a hundred may have 25 MB. A row that was deleted meanwhile is left out.
 */
export async function withLongScopes<Row extends ListedScope & { id: string }>(
  db: Pick<Database, 'query'>,
  table: 'activities' | 'notables',
  repositoryId: bigint,
  rows: readonly Row[],
): Promise<{ rows: { row: Row; scope: { areas: string[]; paths: string[] } }[]; isCut: boolean }> {
  const ids = rows.flatMap(({ id, paths }) => (paths === null ? id : []))
  const found = ids.length > 0 ? await findScopes(db, table, repositoryId, ids) : []
  const unread = ids[found.length]
  const end = unread === undefined ? rows.length : rows.findIndex(({ id }) => id === unread)
  const scopes = new Map(found.map((scope) => [scope.id, scope]))
  const read = rows.slice(0, end).flatMap((row) => {
    const { areas, paths } = scopes.get(row.id) ?? row
    return areas === null || paths === null ? [] : { row, scope: { areas, paths } }
  })
  return { rows: read, isCut: unread !== undefined }
}

/** The scopes of these rows, in order, up to the one with which they exceed the size of a page. One with nulls is deleted. */
async function findScopes(
  db: Pick<Database, 'query'>,
  table: 'activities' | 'notables',
  repositoryId: bigint,
  ids: readonly string[],
): Promise<FoundScope[]> {
  const { rows } = await db.query<FoundScope>(
    `with recursive page(place, bytes) as (
       select 0, 0::bigint
       union all
       select page.place + 1, page.bytes + coalesce((
           select octet_length(array_to_string(areas, '')) + octet_length(array_to_string(paths, ''))
             from ${table} where repository_id = $1 and id = ($2::text[])[page.place + 1]), 0)
         from page where page.bytes < $3 and page.place < cardinality($2::text[]))
     select record.id, record.areas, record.paths from page
       left join ${table} as record on record.repository_id = $1 and record.id = ($2::text[])[page.place]
      where page.place > 0 order by page.place`,
    [repositoryId, ids, mostPageBytes],
  )
  return rows
}
