import { LRUCache } from 'lru-cache'
import { listFor } from '../../core/lib/maps.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { Collisions } from '../../core/schemas/live.ts'
import type { LiveEvent } from '../../core/schemas/live-event.ts'
import { isLive } from '../records/activity/status.ts'
import { type BoundedRecords, createBoundedRecords, fillRecords } from './bounded-records.ts'
import type { Change } from './change-log.sql.ts'
import { collectEvents } from './event-batch.ts'
import { createHeartbeats } from './heartbeats.ts'
import { digestOf, type HeldActivity, type HeldRecord, holdActivity, holdNotable } from './held-record.ts'
import type { LiveSource } from './live-source.ts'
import { createPairTable } from './pair-table.ts'
import { sentCollisions, snapshotBody } from './snapshot.ts'

/** How many live records of each kind are watched and compared at most. */
const mostWatched = 2_000

/** The parts of what a repository may hold. */
const shares = { activities: 3 / 8, notables: 1 / 8, pairs: 1 / 2 }

/** How often all records are read again, at most, where there is room for some that were left out, in ms. */
const refillEveryMs = 60_000

export interface WatchedRepository {
  /** Reads all records anew, as at the start. Nothing is compared then. */
  load(now: Date): Promise<void>
  /**
   * Applies changes, ends what has expired, and returns what to send; undefined if that is so much that a snapshot is
   * smaller.
   */
  apply(changes: readonly Change[], now: Date): Promise<LiveEvent[] | undefined>
  /** Compares what is not compared, as far as the time in ms allows, and returns what to send. */
  compare(now: Date, ms: number): Promise<LiveEvent[]>
  /** Whether nothing is left to be compared. */
  isCompared(): boolean
  /** Whether all live work was compared, and not only the newest. */
  isComplete(): boolean
  /** Whether records were left out for which there is room again. */
  needsLoad(now: Date): boolean
  /** All members of a snapshot that are the same for all who see the same. */
  snapshotBody(activityId: string | undefined): Buffer
  /** The pairs of these activities, or all of them. */
  collisions(of?: ReadonlySet<string>): Collisions
  /** What it holds, in bytes. */
  bytes(): number
}

/** Holds the live records of one repository and the pairs that collide, and returns what changes. */
export function createWatchedRepository(source: LiveSource, mostBytes: () => number): WatchedRepository {
  const storeOf = <Item extends HeldRecord>(share: number) =>
    createBoundedRecords<Item>({ records: mostWatched, bytes: () => share * mostBytes() })
  const activities = storeOf<HeldActivity>(shares.activities)
  const notables = storeOf(shares.notables)
  /** The digests of records that were sent as ended, so that they are not sent again when their end is saved. */
  const ended = new LRUCache<string, string>({ max: mostWatched })
  const pairs = createPairTable({
    live: activities.all,
    checksOf: source.checksOf,
    mostBytes: () => shares.pairs * mostBytes(),
  })
  const heartbeats = createHeartbeats(activities.all)
  let loadedAt = 0
  /** The last text, as long as a client has it unread or memory is not short. */
  let body: WeakRef<Buffer> | undefined

  async function load(now: Date) {
    const found = { activities: storeOf<HeldActivity>(shares.activities), notables: storeOf(shares.notables) }
    await fillRecords(found.activities, source.activities(now), holdActivity)
    await fillRecords(found.notables, source.notables(now), holdNotable)
    activities.replace(found.activities)
    notables.replace(found.notables)
    pairs.clear()
    heartbeats.note(now)
    loadedAt = now.getTime()
    body = undefined
  }

  /** The ids of records whose time is over. A heartbeat may have extended it meanwhile. */
  function due(records: Iterable<HeldRecord>, now: Date): string[] {
    return [...records].filter(({ expires_at }) => Date.parse(expires_at) <= now.getTime()).map(({ id }) => id)
  }

  /** Holds the record while it is open, and returns whether it has to be sent. A moved heartbeat alone is not sent. */
  function take<Item extends HeldRecord>(
    store: BoundedRecords<Item>,
    id: string,
    digest: string,
    item?: Item,
  ): boolean {
    const before = store.all.get(id)
    const isNews = before ? before.digest !== digest : ended.get(id) !== digest
    if (item) {
      store.set(item)
    } else {
      store.delete(id)
      ended.set(id, digest)
    }
    return isNews
  }

  /** What may have changed: what the log names, what has expired, and once a minute all heartbeats. */
  function concerned(changes: readonly Change[], now: Date) {
    const byKind = new Map<Change['kind'], string[]>()
    for (const { kind, id } of changes) listFor(byKind, kind).push(id)
    const maybeOver = heartbeats.areDue(now) ? activities.all.keys() : due(activities.all.values(), now)
    return {
      activities: unique([...(byKind.get('activity') ?? []), ...maybeOver]),
      notables: unique([...(byKind.get('notable') ?? []), ...due(notables.all.values(), now)]),
    }
  }

  async function apply(changes: readonly Change[], now: Date): Promise<LiveEvent[] | undefined> {
    const ids = concerned(changes, now)
    const named = new Set(changes.map(({ id }) => id))
    const missing = new Set(ids.activities)
    const events = collectEvents()
    if (ids.activities.length + ids.notables.length > 0) {
      for await (const found of source.find(ids, now)) {
        for (const data of found.activities) {
          missing.delete(data.id)
          const held = isShown(data) ? holdActivity(data) : undefined
          if (take(activities, data.id, held?.digest ?? digestOf(data), held)) events.add({ event: 'activity', data })
          else if (!named.has(data.id)) continue
          // Its pairs may change although it does not, as with its commits.
          pairs.note([data.id])
        }
        for (const data of found.notables) {
          const held = data.status === 'active' ? holdNotable(data) : undefined
          if (take(notables, data.id, held?.digest ?? digestOf(data), held)) events.add({ event: 'notable', data })
        }
        notables.trim()
        pairs.note(activities.trim())
      }
    }
    const hidden = [...missing].filter((id) => activities.all.has(id))
    for (const id of hidden) activities.delete(id)
    // The share of a repository is smaller while more are watched.
    notables.trim()
    pairs.note([...hidden, ...activities.trim()])
    for (const event of heartbeats.events(now)) events.add(event)
    body = undefined
    return events.all()
  }

  function isComplete(): boolean {
    return pairs.isCompared() && !activities.isCut()
  }

  function collisions(of?: ReadonlySet<string>): Collisions {
    const { items, isCut } = pairs.list(of)
    return sentCollisions(items, { isCut, isComplete: isComplete() })
  }

  function makeBody(activityId: string | undefined): Buffer {
    const one = activityId === undefined ? undefined : activities.all.get(activityId)
    const own = activityId === undefined ? undefined : new Set([activityId])
    const { items, isCut } = pairs.list(own)
    return snapshotBody({
      activities: own ? (one ? [one] : []) : activities.newest(),
      notables: own ? [] : notables.newest(),
      collisions: items,
      isCut: { activities: !own && activities.isCut(), notables: !own && notables.isCut(), collisions: isCut },
      isComplete: isComplete(),
    })
  }

  return {
    load,
    apply,
    async compare(now, ms) {
      const news = await pairs.compare(now, ms)
      body = undefined
      return news.map((data) => ({ event: 'collision', data }))
    },
    isCompared: pairs.isCompared,
    isComplete,
    needsLoad: (now) => (activities.hasRoom() || notables.hasRoom()) && now.getTime() - loadedAt >= refillEveryMs,
    snapshotBody(activityId) {
      if (activityId !== undefined) return makeBody(activityId)
      const known = body?.deref()
      if (known) return known
      const made = makeBody(undefined)
      body = new WeakRef(made)
      return made
    },
    collisions,
    bytes: () => activities.bytes() + notables.bytes() + pairs.bytes(),
  }
}

/** Whether a list shows the activity: it is live, and no recorded activity covers it. */
function isShown({ status, covered_by }: Activity): boolean {
  return isLive(status) && covered_by === null
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
