import type { Activity } from './activity.ts'
import type { CollidingPair, Collisions } from './live.ts'
import type { Notable } from './notable.ts'

/** What changed in a watched repository (docs/rules.md#events). */
export type LiveEvent =
  | { event: 'activity'; data: Activity }
  | { event: 'notable'; data: Notable }
  | { event: 'collision'; data: CollidingPair & { gone?: true } }
  | { event: 'collisions'; data: Collisions }
  | { event: 'alive'; data: { items: Pick<Activity, 'id' | 'heartbeat_at' | 'expires_at'>[] } }
