import { notFound } from '../../../core/errors.ts'
import type { RetrievedActivity } from '../../../core/schemas/activity.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../lib/ids.ts'
import { type FoundActivity, findActivity } from './activities.sql.ts'
import { detailsOf } from './details/load-details.ts'
import { isActivityPurged, presentRetrieved } from './present.ts'
import { isObserved } from './source.ts'

/**
 * Returns the stored activity of this repository. Throws `not_found`, also if it is purged, or observed and not for this
 * caller.
 */
export async function requireActivity(context: Context, id: string): Promise<FoundActivity> {
  const row = isId('act', id) ? await findActivity(context.db, context.repository.id, id) : undefined
  if (!row || isActivityPurged(row, context)) throw notFound()
  if (isObserved(row) && !(await context.viewer.mayReadPullRequests())) throw notFound()
  return row
}

/** Returns the activity with its derived fields. Throws `not_found`. */
export async function getActivity(context: Context, id: string): Promise<RetrievedActivity> {
  const row = await requireActivity(context, id)
  const { now, settings, repository } = context
  const details = await detailsOf(context, row, { files: true, hasObservedWork: row.has_observed_work })
  return presentRetrieved(row, details, { now, settings, defaultBranch: repository.defaultBranch })
}
