import type { Context } from '../context.ts'
import { pageOfActivities } from './activities.sql.ts'
import { presentActivity } from './present.ts'
import type { Activity, ActivityFilters } from './schema.ts'

interface ListQuery {
  filters: ActivityFilters
  limit: number
  /** The last id of the previous page. */
  after: string | undefined
}

/**
 * One page of the live activities, or of one status, newest first; `last` is set if more follow
 * (docs/rules.md#activity-filters).
 */
export async function listActivities(context: Context, { filters, limit, after }: ListQuery) {
  const { db, now, repository, retentionMs } = context
  const endedAfter = new Date(now.getTime() - retentionMs)
  const rows = await pageOfActivities(db, {
    repositoryId: repository.id,
    filters,
    after,
    count: limit + 1,
    now,
    endedAfter,
  })
  const items: Activity[] = rows.slice(0, limit).map((row) => presentActivity(row, now))
  return { items, last: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
