import { compareInSlices, examplePathOf, type ScopeOverlap } from '../scope/compare.ts'
import { runInSlices } from '../scope/match/work-budget.ts'
import type { MergedActivity } from './candidates/rows.ts'
import type { Comparison } from './decide.ts'
import { quoted, quotedPath } from './quote.ts'
import type { ReuseOpportunity } from './schema.ts'

/** The limit of reuse opportunities (docs/rules.md#reuse-opportunities). */
const most = 5
/** The size of a page of merged candidates. */
export const mergedPageSize = 50

/** Merged work whose scope may overlap, newest first. */
export interface MergedCandidates {
  /** The first page, up to `mergedPageSize`. */
  merged: readonly MergedActivity[]
  /** Loads the page after this activity. */
  loadMerged(after: MergedActivity): Promise<readonly MergedActivity[]>
  /** The caller's own activity, which is left out. */
  self?: string | undefined
}

/** Merged work whose scope overlaps the proposal, newest first (docs/rules.md#reuse-opportunities). */
export async function findReuse(
  { merged, loadMerged, self }: MergedCandidates,
  { proposed, parse, work }: Comparison,
): Promise<ReuseOpportunity[]> {
  const found: ReuseOpportunity[] = []
  for (let page = merged; ; ) {
    for (const row of page) {
      if (row.id === self) continue
      const overlap = await runInSlices(compareInSlices(proposed, parse(row), work), work)
      if (overlap === 'undecided') return found
      if (overlap) found.push(opportunity(row, overlap))
      if (found.length === most) return found
    }
    const last = page.at(-1)
    if (!last || page.length < mergedPageSize) return found
    page = await loadMerged(last)
  }
}

function opportunity(row: MergedActivity, overlap: ScopeOverlap): ReuseOpportunity {
  const examplePath = examplePathOf(overlap)
  const common =
    examplePath === undefined
      ? `the area ${quoted(overlap.areas[0] ?? '')}`
      : `files such as ${quotedPath(examplePath)}`
  return {
    activity_id: row.id,
    title: row.title,
    branch: row.branch,
    pr_url: row.pr_url,
    ended_at: row.ended_at.toISOString(),
    reason: `${quoted(row.actor)} merged work on ${common}: see whether it already does part of this.`,
  }
}
