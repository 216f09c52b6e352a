import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
import { closenessByIndex, SAME_FILE } from '../../../core/rules/candidates/index-result.ts'
import type { ActivityMatchedByIndex, RowVersion, StackedActivity } from '../../../core/rules/candidates/rows.ts'
import type { BranchInfo } from '../../../core/rules/relationship/relationship.ts'
import { relationshipTo } from '../../../core/rules/relationship/relationship.ts'
import { jointVersion } from './activity-cache.sql.ts'
import type { Facts, FoundCandidate } from './find-candidates.sql.ts'
import type { FoundObserved } from './load-observed.sql.ts'

/** How many works for the issues of a proposal are compared. An issue with more is an epic: it is enough to know that work for it is near. */
export const mostOfIssues = 1_000

/** A proposal, and what decides which candidates are loaded for it: its branches, and what it changes. */
export interface LoadingProposal extends BranchInfo {
  /** The proposal's own activity, which is left out. */
  self: string | undefined
  lookups: IndexLookups
  defaultBranch: string
  /** Whether its changed files are known. */
  hasChanges: boolean
  /** Whether its scope has changed files that do not count where declared work is compared. */
  hasUncounted: boolean
}

/** A proposal, and the live work that was found for it. */
export interface FoundForProposal {
  proposed: LoadingProposal
  live: readonly FoundCandidate[]
  stack: readonly StackedActivity[]
}

/** Whether `loadObserved` can return anything that matters. */
export function needsObserved({ live, stack }: FoundForProposal, { has_pulls }: Facts): boolean {
  // `.gitattributes` decides which changed files are ignored, those of recorded work too.
  return (has_pulls && stack.length > 0) || live.some(({ is_observed, has_changes }) => is_observed || has_changes)
}

/** The ids of the activities for `loadObserved`. */
export function idsForObserved({ live, stack }: FoundForProposal): string[] {
  return [...live.flatMap(({ id, is_observed }) => (is_observed ? id : [])), ...stack.map(({ id }) => id)]
}

/** Covered work is not listed. */
export function visibleStack(stack: readonly StackedActivity[], observed: readonly FoundObserved[]): StackedActivity[] {
  const observedOf = new Map(observed.map((work) => [work.id, work]))
  return stack.flatMap((work) => {
    const found = observedOf.get(work.id)
    if (found?.cover) return []
    return { ...work, pull_number: found?.number, of_stranger: found?.of_stranger }
  })
}

/** What was found for a proposal: what has to be loaded and compared apart from what the index decides. */
interface SplitCandidates {
  matchedByIndex: ActivityMatchedByIndex[]
  undecided: RowVersion[]
  /** Whether more work names an issue of the proposal than is compared. */
  isCut: boolean
  /** The observed work among them. */
  works: readonly FoundObserved[]
}

/**
 * Separates what the index decides from what has to be loaded and compared. Leaves out own and stacked work. The index does not
 * decide in these cases:
 *
 * - Both sides have changed files, which are compared by their lines.
 * - The record has changed files: its entry in the index may be of one of them, and a wider glob that covers it is no overlap.
 * - Changed files of the proposal do not count: those of an ignored author, and new ones of a stranger.
 * - The work is for an issue of the proposal, which a text has to name.
 *
 * The fields are named, since `...rest` costs V8 most of a microsecond per row.
 */
export function splitByResult(found: FoundForProposal, observed: readonly FoundObserved[]): SplitCandidates {
  const { proposed, live, stack } = found
  const { hasChanges, hasUncounted, lookups, self } = proposed
  const ids = new Set(idsForObserved(found))
  const works = observed.filter(({ id }) => ids.has(id))
  const relationshipOf = relationshipTo(proposed, stack, proposed.defaultBranch)
  const observedOf = new Map(works.map((work) => [work.id, work]))
  const covering = new Set(works.flatMap(({ cover }) => cover?.id ?? []))
  const sharing = new Set(
    live.flatMap(({ id, by_issue }) => (by_issue ? [id, observedOf.get(id)?.cover?.id ?? id] : [])),
  )
  const matchedByIndex: ActivityMatchedByIndex[] = []
  const undecided = new Map<string, RowVersion>()
  const isDecidable = ({ id, is_observed, has_changes, result }: FoundCandidate) =>
    !is_observed &&
    !hasUncounted &&
    !sharing.has(id) &&
    (hasChanges ? !has_changes && !covering.has(id) : !has_changes || result === SAME_FILE)
  // Recorded work is read first, and that of strangers last, should there be too much.
  const rankOf = ({ id, is_observed }: FoundCandidate) => (observedOf.get(id)?.of_stranger ? 2 : is_observed ? 1 : 0)
  let left = mostOfIssues
  let isCut = false
  for (const activity of live.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (relationshipOf(activity)) continue
    const { id, version, is_observed, is_grave, by_issue } = activity
    if (by_issue && --left < 0) sharing.delete(id)
    const closeness = isDecidable(activity) ? closenessByIndex(activity.result, lookups.keysShowFiles) : null
    if (by_issue && left < 0 && !closeness) isCut = true
    else if (closeness) matchedByIndex.push({ id, version, is_grave, closeness })
    else
      undecided.set(id, {
        id,
        version: is_observed ? jointVersion(version, observedOf.get(id)?.head_version) : version,
      })
  }
  const decided = new Set(matchedByIndex.map(({ id }) => id))
  for (const { id, cover } of works) {
    if (!cover || !undecided.has(id) || cover.id === self) continue
    if (!decided.has(cover.id) && !relationshipOf(cover)) undecided.set(cover.id, cover)
  }
  return { matchedByIndex, undecided: [...undecided.values()], isCut, works }
}
