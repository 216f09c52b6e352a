import type { Context } from '../context.ts'
import { pageOfNotables } from './notables.sql.ts'
import { presentNotable } from './present.ts'
import type { Notable, NotableFilters } from './schema.ts'

interface ListQuery {
  filters: NotableFilters
  limit: number
  /** The last id of the previous page. */
  after: string | undefined
}

/**
 * Lists one page of notables, newest first: the active ones, or those of one status (docs/rules.md#notable-filters).
 * `last` is the last id of the page; null if no more follow.
 */
export async function listNotables(context: Context, { filters, limit, after }: ListQuery) {
  const { db, now, repository, retentionMs } = context
  const endedAfter = new Date(now.getTime() - retentionMs)
  const rows = await pageOfNotables(db, {
    repositoryId: repository.id,
    filters,
    after,
    count: limit + 1,
    now,
    endedAfter,
  })
  const items: Notable[] = rows.slice(0, limit).map((row) => presentNotable(row, now))
  return { items, last: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
