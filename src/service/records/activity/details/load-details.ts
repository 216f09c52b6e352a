import { listFor } from '../../../../core/lib/maps.ts'
import type { Context } from '../../../context.ts'
import type { ActivityRow } from '../activities.sql.ts'
import { isObserved } from '../source.ts'
import { type DetailQuery, loadDetailRows } from './details.sql.ts'
import { type ActivityDetails, type DetailRow, noDetails, toDetails } from './details.ts'

interface RowOptions {
  changes: DetailQuery['changes']
  /** Whether the caller may see what GitHub says about pull requests. */
  mayRead: boolean
  /** False if the repository has neither an open pull request nor a pushed branch. */
  hasObservedWork?: boolean
}

interface DetailOptions extends Omit<RowOptions, 'changes'> {
  /** Whether to load the changed files. */
  files: boolean
}

/** Loads the rows of details of activities, by their ids. Most activities have none, and need no query. */
export async function loadDetailRowsOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  rows: readonly ActivityRow[],
  { changes, mayRead, hasObservedWork = true }: RowOptions,
): Promise<Map<string, DetailRow[]>> {
  const observed = mayRead && hasObservedWork
  const detailed = rows.filter((row) => mayHaveDetails(row, observed))
  const byId = new Map<string, DetailRow[]>()
  for (const row of await loadDetailRows(db, detailed, { now, changes, observed }))
    if (mayRead || row.by !== 'github') listFor(byId, row.id).push(row)
  return byId
}

/** Loads the details of activities. */
export async function loadDetails(
  context: Pick<Context, 'db' | 'now'>,
  rows: readonly ActivityRow[],
  { files, ...options }: DetailOptions,
): Promise<(id: string) => ActivityDetails> {
  const byId = await loadDetailRowsOf(context, rows, { ...options, changes: files ? 'files' : 'counts' })
  if (!files) {
    // Only the files show which paths both lists name.
    const several = rows.filter(({ id }) => (byId.get(id)?.length ?? 0) > 1)
    for (const [id, details] of await loadDetailRowsOf(context, several, { ...options, changes: 'files' }))
      byId.set(id, details)
  }
  return (id) => toDetails(byId.get(id) ?? [])
}

/** The details of one activity. Looks up the right to see pull requests only if the activity may have details. */
export async function detailsOf(
  context: Context,
  row: ActivityRow,
  options: Omit<DetailOptions, 'mayRead'>,
): Promise<ActivityDetails> {
  const { hasObservedWork = true } = options
  if (!mayHaveDetails(row, hasObservedWork)) return noDetails
  const mayRead = await context.viewer.mayReadPullRequests()
  return (await loadDetails(context, [row], { ...options, mayRead }))(row.id)
}

/** `canCover`: whether there is observed work that the activity may cover. */
function mayHaveDetails(row: ActivityRow, canCover: boolean): boolean {
  if (row.has_changes || isObserved(row)) return true
  return canCover && row.ended_at === null && (row.branch !== null || row.pr_number !== null)
}
