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
