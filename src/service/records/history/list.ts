import type { Context } from '../../context.ts'
import { countOfPage } from '../../lib/page-bytes.ts'
import { type HistoryRow, pageOfHistory } from './history.sql.ts'
import type { HistoryEntry } from './history-entry.ts'

interface HistoryQuery {
  recordId: string
  /** The position of the last entry of the previous page. */
  after: string | undefined
  limit: number
  /** The entry of an expiry that is not saved yet. */
  expiry: HistoryEntry | undefined
}

/** One page of the history of a record, newest first; `last` is set if more follow (docs/rules.md#history). */
export async function listHistory(
  { db, repository }: Context,
  { recordId, after, limit, expiry }: HistoryQuery,
): Promise<{ items: HistoryEntry[]; last: string | null }> {
  const first = after === undefined && expiry ? [expiry] : []
  const count = limit - first.length
  const { rows, more } = await pageOfHistory(db, { repositoryId: repository.id, recordId, after, count })
  const items = [...first, ...rows.map(presentEntry)]
  const shown = countOfPage(items)
  // A page of one entry may hold the expiry alone. Then the next page begins with the newest saved entry.
  const position = rows[shown - first.length - 1]?.seq ?? maxPosition
  return { items: items.slice(0, shown), last: more || shown < items.length ? String(position) : null }
}

const maxPosition = 2n ** 62n

function presentEntry({ at, by, change, fields }: HistoryRow): HistoryEntry {
  const shown = Object.entries(fields).map(([name, [before, after]]): [string, [unknown, unknown]] => {
    return [name, name === 'applies_until' ? [instant(before), instant(after)] : [before, after]]
  })
  return { at: at.toISOString(), by, change, fields: Object.fromEntries(shown) }
}

/** A time in the format of the API. */
function instant(value: unknown): string | null {
  return typeof value === 'string' ? new Date(value).toISOString() : null
}
