import type { Context } from '../context.ts'
import { archiveRow, expireIfDue } from './activities.sql.ts'
import { requireActivity } from './get.ts'
import type { ArchivedActivity } from './schema.ts'

/** Archives an activity of any status. An archived one keeps its `archived_at`. Throws `not_found`. */
export async function archiveActivity(context: Context, id: string): Promise<ArchivedActivity> {
  const { db, now, repository } = context
  await requireActivity(context, id)
  await expireIfDue(db, repository.id, id, now)
  const row = (await archiveRow(db, repository.id, id, now)) ?? (await requireActivity(context, id))
  return { id: row.id, status: 'archived', archived_at: (row.archived_at ?? now).toISOString() }
}
