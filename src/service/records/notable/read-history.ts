import type { Context } from '../../context.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import { listHistory } from '../history/list.ts'
import { requireNotable } from './get.ts'
import { withNotableExpiryApplied } from './present.ts'

/** One page of what was changed in a notable, and by whom. Throws `not_found`. */
export async function notableHistory(context: Context, id: string, page: { after: string | undefined; limit: number }) {
  const row = await requireNotable(context, id)
  const { status } = withNotableExpiryApplied(row, context.now)
  const fields: HistoryEntry['fields'] = { status: [row.status, status] }
  const expiry = { at: row.expires_at.toISOString(), by: 'app', change: 'updated' as const, fields }
  return listHistory(context, { ...page, recordId: id, expiry: status === row.status ? undefined : expiry })
}
