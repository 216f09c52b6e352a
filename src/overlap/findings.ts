import type { Severity } from '../enums.ts'
import type { ScopeOverlap } from '../scope/compare.ts'
import type { ActivityMatchedByIndex, ComparedActivity, ComparedNotable, RowVersion } from './candidates/rows.ts'
import type { ReuseOpportunity } from './schema.ts'
import { bySeverity, closest, collisionSeverity, isGrave } from './severity.ts'

export interface Collision {
  id: string
  severity: Severity
}

/** A collision that the index decides. The activity is not loaded. */
export interface IndexedCollision extends Collision, RowVersion {}

/** A collision with everything that the texts say about it. */
export interface LoadedCollision extends Collision {
  activity: ComparedActivity
  overlap: ScopeOverlap
}

export interface MatchingNotable {
  notable: ComparedNotable
  /** Null for a notable about the whole repository, which matches every proposal. */
  overlap: ScopeOverlap | null
  severity: Severity
}

/** The caller's own activity, if it has ended. */
export interface EndedActivity {
  id: string
  status: string
  archived_reason: string | null
}

/** What a check found, from which the response is built. */
export interface Findings {
  defaultBranch: string
  /** Whether the proposal has areas, tags or paths. */
  hasScope: boolean
  /** The caller's own activity, if it has ended. */
  ended?: EndedActivity | undefined
  /** Whether everything was compared. False if the globs were too costly. */
  isWhole: boolean
  /** Own and stacked work: all of it, or at least the newest that a response lists. */
  expected: { activity: { id: string }; relationship: 'own' | 'stacked' }[]
  /** Worst first. */
  collisions: readonly Collision[]
  /** The first of the collisions, which the texts describe. */
  loaded: readonly LoadedCollision[]
  notables: MatchingNotable[]
  /** Notables about the whole repository that do not match every proposal. */
  repositoryNotables: ComparedNotable[]
  reuse: ReuseOpportunity[]
}

export function indexedCollision({ id, version, closeness, is_grave }: ActivityMatchedByIndex): IndexedCollision {
  return { id, version, severity: collisionSeverity(closeness, is_grave) }
}

export function loadedCollision(activity: ComparedActivity, overlap: ScopeOverlap): LoadedCollision {
  return { id: activity.id, severity: collisionSeverity(closest(overlap), isGrave(activity)), activity, overlap }
}

export function isLoaded(collision: IndexedCollision | LoadedCollision): collision is LoadedCollision {
  return 'activity' in collision
}

/** The order of the lists: worst first, then newest (docs/rules.md#overlap-lists). */
export function worstFirst(a: Collision, b: Collision): number {
  return bySeverity(a, b) || newestFirst(a, b)
}

export function newestFirst(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
