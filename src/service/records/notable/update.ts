import { notFound } from '../../../core/errors.ts'
import type { Notable, NotableUpdate } from '../../../core/schemas/notable.ts'
import type { Context } from '../../context.ts'
import { changedValues } from '../../lib/changed-values.ts'
import { changedBy } from '../history/changed-by.ts'
import { requireNotable } from './get.ts'
import { changeNotable, expireNotableIfDue, lockNotable, type NotableChanges, type NotableRow } from './notables.sql.ts'
import { presentNotable } from './present.ts'

/** Changes only the fields that are sent (docs/rules.md#updating-records). Locks the row. Throws `not_found`. */
export async function updateNotable(context: Context, id: string, update: NotableUpdate): Promise<Notable> {
  const { db, now, repository } = context
  await requireNotable(context, id)
  await expireNotableIfDue(db, repository.id, id, now)
  const row = await db.transaction(async (tx) => {
    const locked = await lockNotable(tx, repository.id, id)
    if (!locked) throw notFound()
    const changes = changesOf(locked, update, now)
    return changes ? changeNotable(tx, locked, changes, changedBy(context)) : locked
  })
  return presentNotable(row, now)
}

/** The changed columns. Undefined if no value differs: `updated_at` then stays too. */
function changesOf(row: NotableRow, update: NotableUpdate, now: Date): NotableChanges | undefined {
  const changes = changedValues(row, update)
  return Object.keys(changes).length > 0 ? { ...changes, updated_at: now } : undefined
}
