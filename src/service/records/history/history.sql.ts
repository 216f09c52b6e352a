import type { Database } from '../../db/database.ts'
import type { FoundPage } from '../../db/sql/record-page.sql.ts'
import { mostPageBytes } from '../../lib/page-bytes.ts'

export interface HistoryRow {
  seq: bigint
  at: Date
  by: string | null
  change: 'created' | 'updated' | 'archived'
  fields: Record<string, [unknown, unknown]>
}

interface Wanted {
  repositoryId: bigint
  recordId: string
  /** The entry after which the page begins; undefined for the first page. */
  after: string | undefined
  count: number
}

/**
 * Up to `count` entries of a record, newest first. They are read one after the other, up to the one with which they exceed the
 * size of a page: an entry has the values before and after, and a hundred may have 50 MB.
 */
export async function pageOfHistory(
  db: Pick<Database, 'query'>,
  { repositoryId, recordId, after, count }: Wanted,
): Promise<FoundPage<HistoryRow>> {
  const next = (before: string) => `select seq, at, by, change, fields, octet_length(fields::text) as size
    from record_history where repository_id = $1 and record_id = $2 and ${before} order by seq desc limit 1`
  const { rows } = await db.query<HistoryRow & { bytes: number }>(
    `with recursive entry(seq, at, by, change, fields, bytes, place) as (
       select first.*, 1 from (${next('($3::bigint is null or seq < $3)')}) as first
       union all
       select next.seq, next.at, next.by, next.change, next.fields, entry.bytes + next.size, entry.place + 1
         from entry cross join lateral (${next('seq < entry.seq')}) as next
        where entry.place <= $4::int and entry.bytes < $5::int)
     select seq, at, by, change, fields, bytes from entry order by seq desc`,
    [repositoryId, recordId, after ?? null, count, mostPageBytes],
  )
  const isCut = (rows.at(-1)?.bytes ?? 0) >= mostPageBytes
  return { rows: rows.slice(0, count), more: isCut || rows.length > count }
}
