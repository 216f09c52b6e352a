import { LRUCache } from 'lru-cache'
import type { Activity } from '../activity/schema.ts'
import { isLive } from '../activity/status.ts'
import { listFor } from '../lib/maps.ts'
import type { Notable } from '../notable/schema.ts'
import type { Change, Position } from './change-log.sql.ts'
import type { CoveredWork } from './covered.sql.ts'
import type { Batch, LiveEvent } from './live-event.ts'
import { createPairTable, type ReadViews } from './pair-table.ts'
import { type CollidingPair, type Collisions, mostSent } from './schema.ts'

/** Up to how many live records of each kind are watched and compared. */
export const mostWatched = 2_000

/** How often moved heartbeats are sent, in ms. */
const aliveEveryMs = 60_000

interface LoadedRecords {
  activities: Activity[]
  notables: Notable[]
  /** Observed work that is not shown, since a recorded activity covers it. */
  covered: CoveredWork[]
  /** Whether more activities are live. */
  truncated: boolean
}

/** Reads what is in a repository, as one kind of viewer may see it. */
export interface LiveSource {
  /** The newest live records. */
  load(now: Date): Promise<LoadedRecords>
  /**
   * The records as they are, live or ended; a deleted or hidden one is left out. With them come the observed work that they
   * may cover, and what covers them.
   */
  find(
    ids: { activities: readonly string[]; notables: readonly string[] },
    now: Date,
  ): Promise<{ activities: Activity[]; notables: Notable[] }>
  /** Prepares checks of live activities, and returns them by id. Leaves out those that are no longer live. */
  viewsOf: ReadViews
}

export interface WatchedRepository {
  /** Up to where changes were applied. */
  position(): Position
  snapshot(): { activities: Activity[]; notables: Notable[]; collisions: Collisions }
  /** Reads everything anew, as at the start. */
  load(position: Position, now: Date): Promise<void>
  /** Applies the changes of a poll, ends what has expired, and returns what to send. */
  apply(changes: readonly Change[], position: Position, now: Date): Promise<Batch>
}

/** Holds the live records of one repository and the pairs that collide, and returns what changes. */
export function createWatchedRepository(source: LiveSource): WatchedRepository {
  const activities = new Map<string, Activity>()
  const notables = new Map<string, Notable>()
  /** The records that were sent as ended, so that they are not sent again when their end is saved. */
  const ended = new LRUCache<string, string>({ max: mostWatched })
  /** The ids of covered observed work, by the recorded activity that covers it. */
  const covered = new Map<string, string[]>()
  const pairs = createPairTable({ live: activities, viewsOf: source.viewsOf })
  let truncated = false
  let position: Position = { epoch: '', txid: '0' }
  let aliveAt = 0
  let sentAlive = new Map<string, string>()

  async function load(from: Position, now: Date) {
    const found = await source.load(now)
    activities.clear()
    notables.clear()
    for (const activity of found.activities) activities.set(activity.id, activity)
    for (const notable of found.notables) notables.set(notable.id, notable)
    covered.clear()
    for (const { observed, by } of found.covered) listFor(covered, by).push(observed)
    truncated = found.truncated
    await pairs.load(now)
    sentAlive = new Map([...activities.values()].map((activity) => [activity.id, aliveKey(activity)]))
    aliveAt = now.getTime()
    position = from
  }

  /** The ids of records whose time is over. A heartbeat may have extended it meanwhile. */
  function due(records: Iterable<Activity | Notable>, now: Date): string[] {
    return [...records].filter(({ expires_at }) => Date.parse(expires_at) <= now.getTime()).map(({ id }) => id)
  }

  /** Stores the record, and returns whether it has to be sent. A moved heartbeat alone is not sent. */
  function take<Item extends { id: string }>(known: Map<string, Item>, record: Item, isOpen: boolean): boolean {
    const before = known.get(record.id)
    const content = contentOf(record)
    const isNews = before ? contentOf(before) !== content : ended.get(record.id) !== content
    if (isOpen) known.set(record.id, record)
    else {
      known.delete(record.id)
      ended.set(record.id, content)
    }
    return isNews
  }

  function noteCovered(found: readonly Activity[]): void {
    const ids = new Set(found.map(({ id }) => id))
    for (const [by, observed] of covered)
      covered.set(
        by,
        observed.filter((id) => !ids.has(id)),
      )
    for (const { id, status, covered_by } of found)
      if (covered_by && isLive(status)) listFor(covered, covered_by).push(id)
    for (const [by, observed] of covered) if (observed.length === 0) covered.delete(by)
  }

  function alive(now: Date): LiveEvent[] {
    if (now.getTime() - aliveAt < aliveEveryMs) return []
    aliveAt = now.getTime()
    const moved = [...activities.values()].filter((activity) => sentAlive.get(activity.id) !== aliveKey(activity))
    sentAlive = new Map([...activities.values()].map((activity) => [activity.id, aliveKey(activity)]))
    const items = moved.map(({ id, heartbeat_at, expires_at }) => ({ id, heartbeat_at, expires_at }))
    return items.length > 0 ? [{ event: 'alive', data: { items } }] : []
  }

  async function apply(changes: readonly Change[], to: Position, now: Date): Promise<Batch> {
    const byKind = new Map<Change['kind'], string[]>()
    for (const { kind, id } of changes) listFor(byKind, kind).push(id)
    const isAliveDue = now.getTime() - aliveAt >= aliveEveryMs
    const maybeOver = isAliveDue ? activities.keys() : due(activities.values(), now)
    const named = [...(byKind.get('activity') ?? []), ...maybeOver]
    const ids = {
      activities: unique([...named, ...named.flatMap((id) => covered.get(id) ?? [])]),
      notables: unique([...(byKind.get('notable') ?? []), ...due(notables.values(), now)]),
    }
    const isQuiet = ids.activities.length === 0 && ids.notables.length === 0
    const found = isQuiet ? { activities: [], notables: [] } : await source.find(ids, now)
    const sentActivities = found.activities.filter((activity) => take(activities, activity, isShown(activity)))
    const sentNotables = found.notables.filter((notable) => take(notables, notable, notable.status === 'active'))
    noteCovered(found.activities)
    const hidden = ids.activities.filter((id) => activities.has(id) && !found.activities.some((one) => one.id === id))
    for (const id of hidden) activities.delete(id)
    const events: LiveEvent[] = [
      ...sentActivities.map((data): LiveEvent => ({ event: 'activity', data })),
      ...sentNotables.map((data): LiveEvent => ({ event: 'notable', data })),
      ...(await pairs.update([...sentActivities.map(({ id }) => id), ...hidden], now)).map(collisionEvent),
      ...alive(now),
    ]
    position = to
    return { id: `${to.epoch}.${to.txid}`, events }
  }

  return {
    position: () => position,
    snapshot: () => ({
      activities: newest(activities.values()),
      notables: newest(notables.values()),
      collisions: pairs.all(truncated),
    }),
    load,
    apply,
  }
}

/** Whether a list shows the activity: it is live, and no recorded activity covers it. */
function isShown({ status, covered_by }: Activity): boolean {
  return isLive(status) && covered_by === null
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function newest<Item extends { id: string }>(records: Iterable<Item>): Item[] {
  return [...records].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, mostSent)
}

function collisionEvent(data: CollidingPair & { gone?: true }): LiveEvent {
  return { event: 'collision', data }
}

function aliveKey({ heartbeat_at, expires_at }: Activity): string {
  return `${heartbeat_at} ${expires_at}`
}

/** Everything but the times that heartbeats move. */
function contentOf(record: object): string {
  return JSON.stringify({ ...record, heartbeat_at: undefined, expires_at: undefined })
}
