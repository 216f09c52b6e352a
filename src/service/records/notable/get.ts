import { notFound } from '../../../core/errors.ts'
import type { Notable } from '../../../core/schemas/notable.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../lib/ids.ts'
import { findNotable, type NotableRow } from './notables.sql.ts'
import { isNotablePurged, presentNotable } from './present.ts'

/** The stored record. Throws `not_found` if it is not of this repository, or if its retention is over. */
export async function requireNotable(context: Context, id: string): Promise<NotableRow> {
  const row = isId('ntb', id) ? await findNotable(context.db, context.repository.id, id) : undefined
  if (!row || isNotablePurged(row, context)) throw notFound()
  return row
}

/** The record as responses show it. Throws `not_found`. */
export async function getNotable(context: Context, id: string): Promise<Notable> {
  return presentNotable(await requireNotable(context, id), context.now)
}
