import type { BranchInfo } from '../relationship/relationship.ts'
import { relationshipTo } from '../relationship/relationship.ts'
import { jointVersion } from './activity-cache.sql.ts'
import type { Found, FoundCandidate } from './find-candidates.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { closenessByIndex, SAME_FILE } from './index-result.ts'
import type { FoundObserved, ObservedFacts } from './observed.sql.ts'
import type { ActivityMatchedByIndex, RowVersion, StackedActivity } from './rows.ts'

/** The proposal's branches, whether its changed files are known, and whether its author is ignored. */
export interface ProposedBranches extends BranchInfo {
  defaultBranch: string
  hasChanges: boolean
  isIgnored: boolean
}

export const nothingObserved: ObservedFacts = { works: [], attributes: null }

/** Whether `loadObserved` can return anything that matters. */
export function needsObserved({ live, pull_pages }: Found, stack: readonly StackedActivity[]): boolean {
  // `.gitattributes` decides which changed files are ignored, those of recorded work too.
  if (live.some(({ is_observed, has_changes }) => is_observed || has_changes)) return true
  return pull_pages !== null && stack.length > 0
}

/** The ids of the activities for `loadObserved`. */
export function idsForObserved({ live }: Found, stack: readonly StackedActivity[]): string[] {
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

/** What the statements found for a proposal. */
interface FoundCandidates {
  found: Found
  stack: readonly StackedActivity[]
  observed: ObservedFacts
}

/** The same, with the rows that are to be compared apart from those that the index decides. */
export interface SplitCandidates extends FoundCandidates {
  matchedByIndex: ActivityMatchedByIndex[]
  undecided: RowVersion[]
}

interface SplitOptions extends FoundCandidates {
  proposed: ProposedBranches
  lookups: IndexLookups
  self: string | undefined
}

/**
 * Separates what the index decides from what has to be loaded and compared. Leaves out own and stacked work. Changed files of
 * both sides are compared by their lines, so the index does not decide about these. Nor does it decide that paths overlap where
 * a record has changed files, since the entry may be of one of these: a wider glob that covers it is no overlap. Nor does it
 * decide for an ignored author, whose changed files are no overlap. The fields are named, since `...rest` costs V8 most of a microsecond per row.
 */
export function splitByResult({ found, stack, observed, proposed, lookups, self }: SplitOptions): SplitCandidates {
  const { hasChanges, isIgnored } = proposed
  const relationshipOf = relationshipTo(proposed, stack, proposed.defaultBranch)
  const observedOf = new Map(observed.works.map((work) => [work.id, work]))
  const covering = new Set(observed.works.flatMap(({ cover }) => cover?.id ?? []))
  const matchedByIndex: ActivityMatchedByIndex[] = []
  const undecided = new Map<string, RowVersion>()
  const isDecidable = ({ id, is_observed, has_changes, result }: FoundCandidate) =>
    !is_observed &&
    !isIgnored &&
    (hasChanges ? !has_changes && !covering.has(id) : !has_changes || result === SAME_FILE)
  // Recorded work is read first, should there be too much.
  for (const activity of found.live.toSorted((a, b) => Number(a.is_observed) - Number(b.is_observed))) {
    if (relationshipOf(activity)) continue
    const { id, version, is_observed, is_grave, branch, base_branch } = activity
    const closeness = isDecidable(activity) ? closenessByIndex(activity.result, lookups.keysShowFiles) : null
    if (closeness) matchedByIndex.push({ id, version, is_grave, branch, base_branch, closeness })
    else
      undecided.set(id, {
        id,
        version: is_observed ? jointVersion(version, observedOf.get(id)?.head_version) : version,
      })
  }
  const decided = new Set(matchedByIndex.map(({ id }) => id))
  for (const { id, cover } of observed.works) {
    if (!cover || !undecided.has(id) || cover.id === self) continue
    if (!decided.has(cover.id) && !relationshipOf(cover)) undecided.set(cover.id, cover)
  }
  return { found, stack, observed, matchedByIndex, undecided: [...undecided.values()] }
}
