import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../lib/ids.ts'
import { type ActivityRow, findActivity } from './activities.sql.ts'
import { isPurged, presentRetrieved } from './present.ts'
import type { RetrievedActivity } from './schema.ts'

/** Returns the stored activity of this repository. Throws `not_found`, also if it is purged. */
export async function requireActivity(context: Context, id: string): Promise<ActivityRow> {
  const row = isId('act', id) ? await findActivity(context.db, context.repository.id, id) : undefined
  if (!row || isPurged(row, context.now, context.retentionMs)) throw notFound()
  return row
}

/** Returns the activity with its derived fields. Throws `not_found`. */
export async function getActivity(context: Context, id: string): Promise<RetrievedActivity> {
  const row = await requireActivity(context, id)
  const { now, settings, repository } = context
  return presentRetrieved(row, { now, settings, defaultBranch: repository.defaultBranch })
}
