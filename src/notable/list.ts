import type { Context } from '../context.ts'
import { presentNotable } from './present.ts'
import type { Notable, NotableFilters } from './schema.ts'
import { pageOfNotables } from './store.ts'

interface ListQuery {
  filters: NotableFilters
  limit: number
  /** The id that the page before ended with. */
  after: string | undefined
}

/**
 * One page of the active notables, or of one status, newest first; `last` is set if more follow
 * (docs/rules.md#notable-filters).
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
