import type { Severity } from '../enums.ts'
import type { ScopeOverlap } from '../scope/compare.ts'
import type { Collision, KnownCollision } from './collision.ts'
import { explain } from './explain.ts'
import { mostIds, type Overlap, type Relationship, type ReuseOpportunity } from './schema.ts'
import { bySeverity, worst } from './severity.ts'

export interface ActiveNotable {
  id: string
  title: string
  importance: string
  blocking: boolean
}

export interface MatchingNotable {
  notable: ActiveNotable
  /** Where it meets the proposal; null for one about the whole repository, which matches every proposal. */
  meeting: ScopeOverlap | null
  severity: Severity
}

/** The caller's own record, which is over. */
export interface EndedActivity {
  id: string
  status: string
  archived_reason: string | null
}

/** What was found. */
export interface Findings {
  defaultBranch: string
  /** Whether the proposal names anything that could overlap. */
  hasScope: boolean
  /** The record that is checked for, where it has ended. */
  ended?: EndedActivity | undefined
  /** Whether everything was compared; false where hostile globs used up what a check may cost. */
  isWhole: boolean
  /** Own and stacked work; where it is more than an answer shows, perhaps not all of it, but the newest of each. */
  expected: { activity: { id: string }; relationship: 'own' | 'stacked' }[]
  /** Worst first. */
  collisions: readonly Collision[]
  /** The first of them, which are told. */
  told: readonly KnownCollision[]
  notables: MatchingNotable[]
  /** Notables about the whole repository that do not match every proposal. */
  repositoryNotables: ActiveNotable[]
  reuse: ReuseOpportunity[]
}

/** The order of the lists: worst first, then newest (docs/rules.md#overlap-lists). */
export function worstFirst(a: Collision, b: Collision): number {
  return bySeverity(a, b) || newestFirst(a, b)
}

function newestFirst(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** Computes the answer of a check: orders, cuts and explains what was found (docs/rules.md#overlap-fields). */
export function computeOverlap(found: Findings): Overlap {
  const { collisions } = found
  const notables = found.notables.toSorted((a, b) => bySeverity(a, b) || newestFirst(a.notable, b.notable))
  const expected = found.expected.toSorted((a, b) => newestFirst(a.activity, b.activity))
  const repositoryNotables = found.repositoryNotables.toSorted(newestFirst)
  const related = collisions.slice(0, mostIds).map(({ id }) => id)
  const shownExpected = expected.slice(0, mostIds)
  const relationships: Record<string, Relationship> = {}
  for (const id of related) relationships[id] = 'collision'
  for (const { activity, relationship } of shownExpected) relationships[activity.id] = relationship
  return {
    overlap_detected: collisions.length > 0 || notables.length > 0,
    severity: worst([...collisions, ...notables].map(({ severity }) => severity)),
    ...explain({ ...found, notables, expected, repositoryNotables }),
    related_activity_ids: related,
    related_notable_ids: notables.slice(0, mostIds).map(({ notable }) => notable.id),
    expected_activity_ids: shownExpected.map(({ activity }) => activity.id),
    repository_notable_ids: repositoryNotables.slice(0, mostIds).map(({ id }) => id),
    relationships,
    reuse_opportunities: found.reuse,
  }
}
