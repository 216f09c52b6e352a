import type { ArchivedNotable } from '../../../core/schemas/notable.ts'
import type { Context } from '../../context.ts'
import { changedBy } from '../history/changed-by.ts'
import { requireNotable } from './get.ts'
import { archiveNotableRow } from './notables.sql.ts'

/** Archives an active or expired notable. An archived one keeps its first `archived_at`. Throws `not_found`. */
export async function archiveNotable(context: Context, id: string): Promise<ArchivedNotable> {
  const { db, now, repository } = context
  await requireNotable(context, id)
  const row =
    (await archiveNotableRow(db, repository.id, id, { now, changedBy: changedBy(context) })) ??
    (await requireNotable(context, id))
  return { id: row.id, status: 'archived', archived_at: (row.archived_at ?? now).toISOString() }
}
