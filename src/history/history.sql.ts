import type { Database } from '../db/database.ts'

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

/** Up to `count` entries of a record, newest first. */
export async function pageOfHistory(
  db: Database,
  { repositoryId, recordId, after, count }: Wanted,
): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>(
    `select seq, at, by, change, fields from record_history
      where repository_id = $1 and record_id = $2 and ($3::bigint is null or seq < $3)
      order by seq desc limit $4`,
    [repositoryId, recordId, after ?? null, count],
  )
  return rows
}
