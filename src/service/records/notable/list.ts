import type { Notable, NotableFilters } from '../../../core/schemas/notable.ts'
import { nextTurn } from '../../../core/scope/match/work-budget.ts'
import type { Context } from '../../context.ts'
import { pageWithin } from '../../lib/page-bytes.ts'
import { endedAfter } from '../../lib/retention.ts'
import { listedNotables } from './notables.sql.ts'
import { presentNotable } from './present.ts'

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
  const { db, now, repository } = context
  const page = { repositoryId: repository.id, filters, after, count: limit, now, endedAfter: endedAfter(context) }
  const { rows, more, isLong } = await listedNotables(db, page)
  if (isLong) await nextTurn(repository.id)
  const items: Notable[] = rows.map((row) => presentNotable(row, now))
  return pageWithin(items, more, ({ id }) => id)
}
