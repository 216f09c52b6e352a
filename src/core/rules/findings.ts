import type { Severity } from '../enums.ts'
import type { ObservationState } from '../schemas/observation.ts'
import type { ReuseOpportunity } from '../schemas/overlap.ts'
import type { ScopeOverlap } from '../scope/compare.ts'
import type {
  ActivityMatchedByIndex,
  ComparedActivity,
  ComparedNotable,
  PutAside,
  RowVersion,
  StackedActivity,
} from './candidates/rows.ts'
import type { ChangesOverlap, FileOverlap } from './changed/compare-changes.ts'
import type { JudgedSameChange, SameChange } from './duplicates/same-change-rules.ts'
import type { Ownership } from './relationship/pull-relationship.ts'
import { collisionSeverity } from './severity.ts'

export interface Collision {
  id: string
  severity: Severity
  /** A pull request without a push for long. It is listed after other work of members, or of strangers. */
  isStale?: boolean
  /** Whether it is a pull request of a stranger. It is listed after the work of members. */
  byStranger?: boolean
}

/** A collision that the index decides. The activity is not loaded. */
export interface IndexedCollision extends Collision, RowVersion {}

/** A collision with everything that the texts say about it. */
export interface LoadedCollision extends Collision {
  activity: ComparedActivity
  /** What the two scopes share; null if only the changes collide. */
  overlap: ScopeOverlap | null
  /** How the changes collide; null if only the scopes or the issues do, or if something else at the same places is worse. */
  changes: ChangesOverlap | null
  /** Whether both are the same change, or one is a part of the other. */
  sameChange: FoundSameChange | null
  /** The issues that both mean to close, as far as they count. */
  issues: readonly number[]
  ownership: Ownership
  /** Whether it changes more files than `max_files`. */
  isWide: boolean
  /** How many other collisions of the same stranger its line stands for. */
  moreOfAuthor?: number
}

/** That a collision is the same change, or a part of it (docs/rules.md#same-change). */
export interface FoundSameChange extends SameChange, JudgedSameChange {
  /** Whether it is what makes the collision so severe, and so what the texts tell of it. */
  isTold: boolean
  /** Whether the other work is the caller's own. */
  isOwn: boolean
  /** One of the files that both leave with the same content. */
  file: FileOverlap
}

/** Work that changes what is near, and is no overlap (docs/rules.md#nearby). */
export interface NearbyWork {
  activity: ComparedActivity
  /** Null where only the issues make it so. */
  changes: ChangesOverlap | null
  /** The issues that both mean to close. */
  issues: readonly number[]
  /** Whether its author is ignored. */
  isOfIgnoredAuthor: boolean
  byStranger: boolean
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

/** The caller's own activity, which decides who was first. */
export interface OwnActivity {
  id: string
  began_at: Date
}

/** Whether other work began before the caller's own. */
export function isEarlier(other: OwnActivity, own: OwnActivity): boolean {
  const difference = other.began_at.getTime() - own.began_at.getTime()
  return difference < 0 || (difference === 0 && other.id < own.id)
}

/** Work of which GitHub does not list all files: what is not listed is not compared. */
export interface PartlyListed {
  /** The pushed branches of others. */
  branches: readonly string[]
  /** The numbers of the pull requests of others. */
  pulls: readonly number[]
  /** How many of the proposal's own changed files are not listed. */
  own: number
}

/** Own or stacked work. */
export interface ExpectedWork {
  activity: Pick<StackedActivity, 'id' | 'pull_number'>
  relationship: 'own' | 'stacked'
  byStranger: boolean
}

/** Another proposal of the request that collides. */
export interface CollidingProposal {
  index: number
  /** The issues that both mean to close. */
  issues: readonly number[]
  /** Whether both are the same change, or one is a part of the other. */
  isSameChange: boolean
}

/** The other proposals of a request with several (docs/rules.md#many-tasks). */
export interface OtherProposals {
  /** Those that collide with this one, by their indexes. */
  colliding: readonly CollidingProposal[]
  /** The indexes of those that name an issue of this one which does not count, as that of an epic. */
  nearby: readonly number[]
  /** The issues that they name. */
  nearbyIssues: readonly number[]
  /** Whether this one was compared with all of them. */
  isWhole: boolean
}

/** What a check found, from which the response is built. */
export interface Findings {
  defaultBranch: string
  now: Date
  /** Whether the proposal has areas, tags, paths or changed files. */
  hasScope: boolean
  /** The issues that it means to close. */
  issues: readonly number[]
  /** The caller's own activity, if there is one. */
  own?: OwnActivity | undefined
  /** The caller's own activity, if it has ended. */
  ended?: EndedActivity | undefined
  /** Whether everything was compared. False if that was too costly. */
  isWhole: boolean
  /** How far the open pull requests are read. */
  observed: ObservationState
  putAside: PutAside | null
  partlyListed: PartlyListed
  /** Own and stacked work: all of it, or at least the newest that a response lists. */
  expected: ExpectedWork[]
  /** Those of members first, each worst first. */
  collisions: readonly Collision[]
  /** The first of the collisions, which the texts describe. */
  loaded: readonly LoadedCollision[]
  /** That of members first, each closest first. */
  nearby: readonly NearbyWork[]
  notables: MatchingNotable[]
  /** Notables about the whole repository that do not match every proposal. */
  repositoryNotables: ComparedNotable[]
  reuse: ReuseOpportunity[]
  /** Undefined for a request with one proposal. */
  otherProposals?: OtherProposals | undefined
}

export function indexedCollision({ id, version, closeness, is_grave }: ActivityMatchedByIndex): IndexedCollision {
  return { id, version, severity: collisionSeverity(closeness, is_grave) }
}

export function isLoaded(collision: Collision): collision is LoadedCollision {
  return 'activity' in collision
}
