import { buildOverlap } from './build-overlap.ts'
import type { LoadActivities } from './candidates/rows.ts'
import { type Candidates, type Comparison, decide } from './decide.ts'
import type { EndedActivity } from './findings.ts'
import { loadDescribed } from './load-described.ts'
import type { BranchInfo } from './relationship.ts'
import { findReuse, type MergedCandidates } from './reuse.ts'
import type { Overlap } from './schema.ts'

/** The candidates of a check, and how to load more about them. */
export interface LoadedCandidates extends Candidates, MergedCandidates {
  /** The caller's own activity, if it has ended. */
  ended?: EndedActivity | undefined
  loadActivities: LoadActivities
}

/** Answers a check from its candidates: decides, loads what the texts describe, and builds the response. */
export async function evaluate(
  proposal: BranchInfo,
  candidates: LoadedCandidates,
  comparison: Comparison,
): Promise<Overlap> {
  const { proposed, work } = comparison
  const decision = await decide(proposal, candidates, comparison)
  const reuse = await findReuse(candidates, comparison)
  const described = await loadDescribed(decision.collisions, candidates.loadActivities, comparison)
  return buildOverlap({
    defaultBranch: candidates.defaultBranch,
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    ended: candidates.ended,
    isWhole: work.steps < work.limit,
    ...decision,
    ...described,
    reuse,
  })
}
