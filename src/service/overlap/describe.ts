import type { LoadActivities, PutAside } from '../../core/rules/candidates/rows.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import type { Candidates, Decision } from '../../core/rules/decide.ts'
import { numbersOf } from '../../core/rules/duplicates/same-issue-rules.ts'
import type { OtherProposals } from '../../core/rules/findings.ts'
import { mergeCandidates } from '../../core/rules/merge-candidates.ts'
import { closestFirst } from '../../core/rules/order/nearby-order.ts'
import type { Proposal } from '../../core/rules/proposal.ts'
import type { BranchInfo } from '../../core/rules/relationship/relationship.ts'
import { idLimits, idLimitsOfTask } from '../../core/rules/response/id-limits.ts'
import type { ObservationState, PartlyListedPull } from '../../core/schemas/observation.ts'
import type { Overlap } from '../../core/schemas/overlap.ts'
import { isUsedUp } from '../../core/scope/match/work-budget.ts'
import { buildOverlap } from './build-overlap.ts'
import { loadDescribed } from './load-described.ts'
import { findReuse, type MergedCandidates } from './reuse.ts'

/** The candidates of a check, and how to load more about them. */
export interface LoadedCandidates extends Candidates, MergedCandidates {
  observed: ObservationState
  putAside: PutAside | null
  /** The pushed branches of which GitHub does not list all files. */
  partlyListed: readonly string[]
  loadActivities: LoadActivities
  /** Whether the caller may try merges with what it changes (docs/rules.md#merge-candidates). */
  triesMerges: boolean
  /** Undefined for a request with one proposal. */
  otherProposals?: OtherProposals | undefined
}

/** Answers a check, once it is decided what collides: loads what the texts describe, and builds the response. */
export async function describe(
  proposal: BranchInfo & Partial<Pick<Proposal, 'self' | 'ended'>>,
  { decision, ...candidates }: LoadedCandidates & { decision: Decision },
  comparison: Comparison,
): Promise<Overlap> {
  const { proposed, work, now, own } = comparison
  const { self, ended } = proposal
  const reuse = await findReuse({ ...candidates, self }, comparison)
  const described = await loadDescribed(decision.collisions, candidates.loadActivities, comparison)
  const { defaultBranch, observed, putAside, partlyListed, triesMerges, otherProposals } = candidates
  const found = {
    ...{ defaultBranch, now, ended, own, observed, putAside },
    issues: numbersOf(comparison.issues),
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    partlyListed: {
      branches: partlyListed.filter((branch) => branch !== proposal.branch),
      pulls: pullsOfOthers(proposal, observed, comparison),
      own: unlistedFiles(comparison),
    },
    ...decision,
    isWhole: decision.isWhole && !isUsedUp(work),
    nearby: decision.nearby.toSorted(closestFirst),
    ...described,
    reuse,
    otherProposals,
  }
  const overlap = buildOverlap(found, otherProposals ? idLimitsOfTask : idLimits, triesMerges)
  return triesMerges
    ? { ...overlap, ...mergeCandidates(proposal, decision.shared, defaultBranch, comparison) }
    : overlap
}

/** The pull requests of which GitHub does not list all files, without the proposal's own. */
function pullsOfOthers(
  { branch }: BranchInfo,
  { partly_listed = [] }: ObservationState,
  { identity }: Comparison,
): number[] {
  const isOwn = (pull: PartlyListedPull) =>
    pull.number === identity.pullNumber || (pull.branch !== null && pull.branch === branch)
  return partly_listed.filter((pull) => !isOwn(pull)).map(({ number }) => number)
}

function unlistedFiles({ changed }: Comparison): number {
  return changed === null ? 0 : Math.max(0, changed.work.filesTotal - changed.work.files.length)
}
