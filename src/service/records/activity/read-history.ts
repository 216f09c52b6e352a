import type { Context } from '../../context.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import { listHistory } from '../history/list.ts'
import type { ActivityRow } from './activities.sql.ts'
import { requireActivity } from './get.ts'
import { withExpiryApplied } from './present.ts'

/** One page of what was changed in an activity, and by whom. Throws `not_found`. */
export async function activityHistory(
  context: Context,
  id: string,
  page: { after: string | undefined; limit: number },
) {
  const row = await requireActivity(context, id)
  return listHistory(context, { ...page, recordId: id, expiry: expiryOf(row, context.now) })
}

/** The entry of an expiry that is not saved yet. */
function expiryOf(row: ActivityRow, now: Date): HistoryEntry | undefined {
  const { status, archived_reason } = withExpiryApplied(row, now)
  if (status === row.status) return undefined
  const fields: HistoryEntry['fields'] = { status: [row.status, status], archived_reason: [null, archived_reason] }
  return { at: row.expires_at.toISOString(), by: 'app', change: 'archived', fields }
}
