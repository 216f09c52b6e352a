import type { ArchivedActivity } from '../../../core/schemas/activity.ts'
import type { Context } from '../../context.ts'
import { changedBy } from '../history/changed-by.ts'
import { type ActivityRow, archiveRow, expireIfDue } from './activities.sql.ts'
import { requireActivity } from './get.ts'
import { lockHeadsOf } from './pull-request/lock-heads.sql.ts'
import { putAside } from './pull-request/put-aside.sql.ts'
import { isObserved } from './source.ts'

/** Archives an activity of any status. An archived one keeps its `archived_at`. Throws `not_found`. */
export async function archiveActivity(context: Context, id: string): Promise<ArchivedActivity> {
  const { db, now, repository } = context
  const before = await requireActivity(context, id)
  await expireIfDue(db, repository.id, id, now)
  const archived = isObserved(before)
    ? await archiveObserved(context, before)
    : await archiveRow(db.prisma, repository.id, id, { now, changedBy: changedBy(context) })
  const row = archived ?? (await requireActivity(context, id))
  return { id: row.id, status: 'archived', archived_at: (row.archived_at ?? now).toISOString() }
}

/** Observed work that a caller archives is put aside (docs/rules.md#observed-work). */
async function archiveObserved(context: Context, activity: ActivityRow): Promise<ActivityRow | undefined> {
  const { db, now, viewer } = context
  return db.transaction(async (tx) => {
    await lockHeadsOf(tx, [activity])
    const row = await archiveRow(tx, activity.repository_id, activity.id, { now, changedBy: changedBy(context) })
    if (row) await putAside(tx, row, viewer.account()?.login ?? null)
    return row
  })
}
