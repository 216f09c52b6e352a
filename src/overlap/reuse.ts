import { compareInSlices, examplePathOf, type ScopeOverlap } from '../scope/compare.ts'
import { runInSlices } from '../scope/match/work-budget.ts'
import type { MergedActivity } from './candidates-store.ts'
import type { Comparison } from './compare-candidates.ts'
import { quoted, quotedPath } from './quote.ts'
import type { ReuseOpportunity } from './schema.ts'

/** The limit of reuse opportunities (docs/rules.md#reuse-opportunities). */
const most = 5
/** How many candidates are looked at in one go. */
export const mergedAtOnce = 50

/** Merged work that may overlap, newest first. */
export interface MergedCandidates {
  /** The first of it, up to `mergedAtOnce`. */
  merged: readonly MergedActivity[]
  /** As many again, after the one given. */
  moreMerged(after: MergedActivity): Promise<readonly MergedActivity[]>
  /** The caller's own record, which is left out. */
  self?: string | undefined
}

/** Merged work whose scope overlaps the proposal, newest first (docs/rules.md#reuse-opportunities). */
export async function reuseOpportunities(
  { merged, moreMerged, self }: MergedCandidates,
  { proposed, read, work }: Comparison,
): Promise<ReuseOpportunity[]> {
  const found: ReuseOpportunity[] = []
  for (let page = merged; ; ) {
    for (const row of page) {
      if (row.id === self) continue
      const meeting = await runInSlices(compareInSlices(proposed, read(row), work), work)
      if (meeting === 'undecided') return found
      if (meeting) found.push(opportunity(row, meeting))
      if (found.length === most) return found
    }
    const last = page.at(-1)
    if (!last || page.length < mergedAtOnce) return found
    page = await moreMerged(last)
  }
}

function opportunity(row: MergedActivity, meeting: ScopeOverlap): ReuseOpportunity {
  const witness = examplePathOf(meeting)
  const common =
    witness === undefined ? `the area ${quoted(meeting.areas[0] ?? '')}` : `files such as ${quotedPath(witness)}`
  return {
    activity_id: row.id,
    title: row.title,
    branch: row.branch,
    pr_url: row.pr_url,
    ended_at: row.ended_at.toISOString(),
    reason: `${quoted(row.actor)} merged work on ${common}: see whether it already does part of this.`,
  }
}
