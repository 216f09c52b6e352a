import { invalidField } from '../../../core/errors.ts'
import type { Activity, ActivityFilters } from '../../../core/schemas/activity.ts'
import { presentState } from '../../../core/schemas/observation.ts'
import { nextTurn } from '../../../core/scope/match/work-budget.ts'
import type { Context } from '../../context.ts'
import { pageWithin } from '../../lib/page-bytes.ts'
import { endedAfter } from '../../lib/retention.ts'
import { visibleObservation } from '../../observed/visible-observation.ts'
import { type ListFilters, listedActivities } from '../../records/activity/activity-page.sql.ts'
import { loadDetails } from '../../records/activity/details/load-details.ts'
import { presentActivity } from '../../records/activity/present.ts'

interface ListQuery {
  filters: ActivityFilters
  limit: number
  /** The last id of the previous page. */
  after: string | undefined
}

/**
 * One page of the live activities, or of one status, newest first; `last` is set if more follow
 * (docs/rules.md#activity-filters). Observed work that a recorded activity covers is left out. Throws `validation_failed`
 * for `mine` if the account of the caller is not known.
 */
export async function listActivities(context: Context, { filters, limit, after }: ListQuery) {
  const { db, now, repository } = context
  const { observed, mayRead } = await visibleObservation(context.viewer)
  const { rows, more, isLong } = await listedActivities(db, {
    repositoryId: repository.id,
    filters: listFilters(context, filters, mayRead),
    after,
    count: limit,
    now,
    endedAfter: endedAfter(context),
  })
  const hasObservedWork = rows[0]?.has_observed_work ?? false
  const detailsOf = await loadDetails(context, rows, { files: false, mayRead, hasObservedWork })
  if (isLong) await nextTurn(repository.id)
  const items: Activity[] = rows.map((row) => presentActivity(row, now, detailsOf(row.id)))
  return { observed: presentState(observed), ...pageWithin(items, more, ({ id }) => id) }
}

function listFilters({ viewer }: Context, { mine, ...filters }: ActivityFilters, observed: boolean): ListFilters {
  if (!mine) return { ...filters, observed }
  const account = viewer.account()
  if (account === null)
    throw invalidField(
      'mine',
      'invalid_value',
      'GitHub did not say whose token this is. Try again, or filter by actor.',
    )
  return { ...filters, observed, authorId: account.id }
}
