import { endedStatuses } from '../../core/enums.ts'
import { pairKey } from '../../core/rules/order/pair-order.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { CollidingPair } from '../../core/schemas/live.ts'
import type { LiveEvent } from '../../core/schemas/live-event.ts'
import type { Notable } from '../../core/schemas/notable.ts'

/**
 * The records of a repository on the page. A change makes new maps, so that unchanged parts are recognised by identity.
 */
export interface LiveState extends Pick<Snapshot, 'access' | 'truncated'> {
  activities: ReadonlyMap<string, Activity>
  notables: ReadonlyMap<string, Notable>
  /** By `pairKey`. */
  collisions: ReadonlyMap<string, CollidingPair>
  /** Whether all live work was compared. Otherwise the absence of a collision says nothing. */
  isComplete: boolean
}

/** Of what there is more than the service sends. `scopes`: of some only the first paths. */
export type Truncated = Record<'activities' | 'notables' | 'collisions' | 'scopes', boolean>

export interface Snapshot {
  activities: readonly Activity[]
  notables: readonly Notable[]
  collisions: readonly CollidingPair[]
  collisions_complete: boolean
  truncated: Truncated
  access: 'read' | 'write'
}

export type PageEvent = { event: 'snapshot'; data: Snapshot } | LiveEvent

/** How many records of one kind a snapshot has at most. */
export const mostShown = 500

const ended = new Set<string>(endedStatuses)

/** Whether the list of the API shows the activity too: it is live, and no recorded activity covers it. */
function isShown({ status, covered_by }: Activity): boolean {
  return !ended.has(status) && covered_by === null
}

function byId<Item extends { id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]))
}

function byPair(pairs: readonly CollidingPair[]): Map<string, CollidingPair> {
  return new Map(pairs.map((pair) => [pairKey(pair), pair]))
}

/** The map with one entry set, or taken out where the value is undefined. */
function changed<Item>(
  map: ReadonlyMap<string, Item>,
  key: string,
  value: Item | undefined,
): ReadonlyMap<string, Item> {
  const copy = new Map(map)
  if (value === undefined) copy.delete(key)
  else copy.set(key, value)
  return copy
}

/** The state after an event of the stream. Events other than a snapshot need a state to change. */
export function applyEvent(state: LiveState | undefined, event: PageEvent): LiveState | undefined {
  if (event.event === 'snapshot') return fromSnapshot(event.data, state)
  if (state === undefined) return undefined
  const { truncated } = state
  switch (event.event) {
    case 'activity': {
      const { data } = event
      const activities = changed(state.activities, data.id, isShown(data) ? data : undefined)
      const isCut = truncated.activities || activities.size > mostShown
      return { ...state, activities, truncated: { ...truncated, activities: isCut } }
    }
    case 'notable': {
      const { data } = event
      return { ...state, notables: changed(state.notables, data.id, data.status === 'active' ? data : undefined) }
    }
    case 'collision': {
      const { gone, ...pair } = event.data
      return { ...state, collisions: changed(state.collisions, pairKey(pair), gone ? undefined : pair) }
    }
    case 'collisions': {
      const { items, truncated: isCut, collisions_complete: isComplete } = event.data
      const next = { ...state, isComplete, truncated: { ...truncated, collisions: isCut } }
      return { ...next, collisions: knownPairs(items, next, state) }
    }
    case 'alive':
      return { ...state, activities: withHeartbeats(state.activities, event.data.items) }
  }
}

function fromSnapshot(data: Snapshot, before: LiveState | undefined): LiveState {
  const next = {
    access: data.access,
    activities: byId(data.activities.filter(isShown)),
    notables: byId(data.notables),
    isComplete: data.collisions_complete,
    truncated: data.truncated,
  }
  return { ...next, collisions: knownPairs(data.collisions, next, before) }
}

/**
 * The pairs that the service sends. While it compares anew, as after a restart, those that were known before stay if both are still
 * live. Where it has more live work than it sends, it may never have compared all.
 */
function knownPairs(
  pairs: readonly CollidingPair[],
  { activities, isComplete, truncated }: Pick<LiveState, 'activities' | 'isComplete' | 'truncated'>,
  before: LiveState | undefined,
): LiveState['collisions'] {
  if (isComplete || truncated.activities || !before) return byPair(pairs)
  const kept = [...before.collisions].filter(([, { activity_ids }]) => activity_ids.every((id) => activities.has(id)))
  return new Map([...kept, ...byPair(pairs)])
}

function withHeartbeats(
  activities: LiveState['activities'],
  items: readonly Pick<Activity, 'id' | 'heartbeat_at' | 'expires_at'>[],
): LiveState['activities'] {
  const copy = new Map(activities)
  for (const item of items) {
    const known = copy.get(item.id)
    if (known) copy.set(item.id, { ...known, ...item })
  }
  return copy
}

/** The state with the viewer's own work where the stream left some out: the 500 newest records may not have it. */
export function withOwn(
  state: LiveState,
  own: { activities: readonly Activity[]; collisions: { items: readonly CollidingPair[] } } | undefined,
): LiveState {
  const { truncated, activities, collisions } = state
  if (!own || !(truncated.activities || truncated.collisions)) return state
  return {
    ...state,
    activities: truncated.activities ? new Map([...byId(own.activities), ...activities]) : activities,
    collisions: truncated.collisions ? new Map([...byPair(own.collisions.items), ...collisions]) : collisions,
  }
}
