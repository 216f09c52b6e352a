import type { Severity } from '../enums.ts'
import type { ScopeOverlap } from '../scope/compare.ts'
import type { MatchedActivity } from './candidates-store.ts'
import type { RowVersion } from './known-activities.ts'
import { closest, collisionSeverity, isGrave } from './severity.ts'

/** A live activity as the explanation needs it, in the words of the database. */
export interface LiveActivity {
  id: string
  title: string
  actor: string
  agent: string | null
  status: string
  branch: string | null
  risk: string
  blocking: boolean
}

export interface Collision {
  id: string
  severity: Severity
}

/** A collision of which the index tells, without a look at the activity. */
export interface IndexedCollision extends Collision, RowVersion {}

/** A collision with what the explanation needs of it. */
export interface KnownCollision extends Collision {
  activity: LiveActivity
  meeting: ScopeOverlap
}

export function indexedCollision({ id, version, meets, is_grave }: MatchedActivity): IndexedCollision {
  return { id, version, severity: collisionSeverity(meets, is_grave) }
}

export function knownCollision(activity: LiveActivity, meeting: ScopeOverlap): KnownCollision {
  return { id: activity.id, severity: collisionSeverity(closest(meeting), isGrave(activity)), activity, meeting }
}

export function isKnown(collision: IndexedCollision | KnownCollision): collision is KnownCollision {
  return 'activity' in collision
}
