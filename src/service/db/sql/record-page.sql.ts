import { mostPageBytes } from '../../lib/page-bytes.ts'
import type { Database } from '../database.ts'
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

/** The page of a list. */
export interface ListedPage<Row> extends FoundPage<Row> {
  /** Whether texts were long, so that it takes some milliseconds to write it as JSON. */
  isLong: boolean
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

/** Up to how many bytes the texts of a row take that is read at once: a hundred of them are no large page. */
const shortBytes = 8 * 1024

/** The columns whose values may be long. Lists show no `area_keys`. */
const longColumns = ['summary', 'areas', 'paths']

/** Whether the texts of a row are short, without reading a value that is stored elsewhere or compressed. True of nearly all rows. */
const isShort = `${longColumns.map((name) => `pg_column_compression(${name}) is null`).join(' and ')}
  and ${longColumns.map((name) => `pg_column_size(${name})`).join(' + ')} <= ${shortBytes}`

/** The columns of a list. Those with long texts are null. `withLongTexts` reads them. */
export function columnsOfList(names: readonly string[]): string {
  return names
    .map((name) => {
      if (name === 'area_keys') return `'{}'::text[] as area_keys`
      return longColumns.includes(name) ? `case when ${isShort} then ${name} end as ${name}` : name
    })
    .join(', ')
}

/** The columns of a record that may be long. */
interface Texts {
  summary: string
  areas: string[]
  paths: string[]
}

/** The same in a row of a list: null where they are long. */
export type ListedRow<Row extends Texts> = Omit<Row, keyof Texts> & { [Name in keyof Texts]: Row[Name] | null }

/**
 * The rows of a page with their texts, up to the row with which the long ones exceed the size of a page. These are read one
 * after the other: a hundred may have 25 MB. A row that was deleted meanwhile is left out.
 */
export async function withLongTexts<Row extends { id: string } & { [Name in keyof Texts]: Texts[Name] | null }>(
  db: Pick<Database, 'query'>,
  table: 'activities' | 'notables',
  repositoryId: bigint,
  rows: readonly Row[],
): Promise<{ rows: { row: Row; texts: Texts }[]; isLong: boolean; isCut: boolean }> {
  const ids = rows.flatMap(({ id, paths }) => (paths === null ? id : []))
  const found = ids.length > 0 ? await findTexts(db, table, repositoryId, ids) : []
  const unread = ids[found.length]
  const end = unread === undefined ? rows.length : rows.findIndex(({ id }) => id === unread)
  const byId = new Map(found.map((texts) => [texts.id, texts]))
  const read = rows.slice(0, end).flatMap((row) => {
    const { summary, areas, paths } = byId.get(row.id) ?? row
    return summary === null || areas === null || paths === null ? [] : { row, texts: { summary, areas, paths } }
  })
  return { rows: read, isLong: ids.length > 0, isCut: unread !== undefined }
}

/** The texts of these rows, in order, up to the one with which they exceed the size of a page. One with nulls is deleted. */
async function findTexts(
  db: Pick<Database, 'query'>,
  table: 'activities' | 'notables',
  repositoryId: bigint,
  ids: readonly string[],
): Promise<(Texts & { id: string | null })[]> {
  const size = `octet_length(summary) + octet_length(array_to_json(areas)::text) + octet_length(array_to_json(paths)::text)`
  // Lists as JSON: parsing PostgreSQL's array notation costs several times as much.
  const { rows } = await db.query<Texts & { id: string | null }>(
    `with recursive page(place, bytes) as (
       select 0, 0::bigint
       union all
       select page.place + 1, page.bytes + coalesce((
           select ${size} from ${table} where repository_id = $1 and id = ($2::text[])[page.place + 1]), 0)
         from page where page.bytes < $3 and page.place < cardinality($2::text[]))
     select record.id, record.summary, array_to_json(record.areas) as areas, array_to_json(record.paths) as paths
       from page left join ${table} as record on record.repository_id = $1 and record.id = ($2::text[])[page.place]
      where page.place > 0 order by page.place`,
    [repositoryId, ids, mostPageBytes],
  )
  return rows
}
