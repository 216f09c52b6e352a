import type { Context } from '../../context.ts'
import { listFor } from '../../lib/maps.ts'
import type { ActivityRow } from '../activities.sql.ts'
import { isObserved } from '../source.ts'
import { loadDetailRows } from './details.sql.ts'
import { type ActivityDetails, type DetailRow, noDetails, toDetails } from './details.ts'

interface DetailOptions {
  /** Whether to load the changed files. */
  files: boolean
  /** Whether the caller may see what GitHub says about pull requests. */
  mayRead: boolean
  /** False if the repository has neither an open pull request nor a pushed branch. */
  hasObservedWork?: boolean
}

/** Loads the details of activities. Most activities have none, and need no query. */
export async function loadDetails(
  { db, now }: Pick<Context, 'db' | 'now'>,
  rows: readonly ActivityRow[],
  { files, mayRead, hasObservedWork = true }: DetailOptions,
): Promise<(id: string) => ActivityDetails> {
  const observed = mayRead && hasObservedWork
  const detailed = rows.filter((row) => mayHaveDetails(row, observed))
  const load = (some: readonly ActivityRow[], withFiles: boolean) =>
    loadDetailRows(db, some, { now, files: withFiles, observed })
  const found = (await load(detailed, files)).filter(({ by }) => mayRead || by !== 'github')
  const byId = groupById(found)
  if (!files) {
    // Only the files show which paths both lists name.
    const several = detailed.filter(({ id }) => (byId.get(id)?.length ?? 0) > 1)
    const again = (await load(several, true)).filter(({ by }) => mayRead || by !== 'github')
    for (const [id, details] of groupById(again)) byId.set(id, details)
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

function groupById(rows: readonly DetailRow[]): Map<string, DetailRow[]> {
  const byId = new Map<string, DetailRow[]>()
  for (const row of rows) listFor(byId, row.id).push(row)
  return byId
}
