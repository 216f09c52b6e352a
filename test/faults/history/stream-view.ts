import { z } from 'zod'
import type { ServerSentEvent } from '../../../src/core/lib/parse-events.ts'

const StoredRecord = z.looseObject({ id: z.string(), status: z.string(), covered_by: z.string().nullish() })
const Pair = z.looseObject({ activity_ids: z.array(z.string()), gone: z.boolean().optional() })
const Snapshot = z.object({
  activities: z.array(StoredRecord),
  notables: z.array(StoredRecord),
  collisions: z.array(Pair),
})

type StoredRecord = z.infer<typeof StoredRecord>
type Pair = z.infer<typeof Pair>

/** What one shows who has read a stream of events, or the lists. */
export interface RepositoryView {
  activities: Map<string, StoredRecord>
  notables: Map<string, StoredRecord>
  /** By both ids. */
  collisions: Map<string, Pair>
}

/** Follows a stream: the events change the view. */
export interface StreamView extends RepositoryView {
  /** A line for each event that was sent twice on one connection. */
  doubled: string[]
  /** The activities that any event or snapshot has had. */
  seen: Set<string>
  /** A new connection begins: what was missed may have been read before. */
  reconnect(): void
  /** Whether the connection has sent all that it begins with. */
  hasBegun(): boolean
  apply(event: ServerSentEvent): void
}

export function viewOfLists(lists: { activities: unknown[]; notables: unknown[]; collisions: unknown[] }) {
  const { activities, notables, collisions } = Snapshot.parse(lists)
  return { activities: byId(activities), notables: byId(notables), collisions: byPair(collisions) }
}

export function createStreamView(): StreamView {
  /** What was sent last of each record and pair on this connection, after its beginning. */
  const sent = new Map<string, string>()
  let hasBegun = false
  const view: StreamView = {
    activities: new Map(),
    notables: new Map(),
    collisions: new Map(),
    doubled: [],
    seen: new Set(),
    hasBegun: () => hasBegun,
    reconnect() {
      hasBegun = false
      sent.clear()
    },
    apply({ event, data }) {
      const body: unknown = JSON.parse(data)
      if (event === 'snapshot') begin(Snapshot.parse(body))
      else if (event === 'collisions') {
        view.collisions = byPair(z.object({ items: z.array(Pair) }).parse(body).items)
        hasBegun = true
      } else if (event === 'activity') takeActivity(StoredRecord.parse(body))
      else if (event === 'notable') takeNotable(StoredRecord.parse(body))
      else if (event === 'collision') takePair(Pair.parse(body))
    },
  }

  function begin({ activities, notables, collisions }: z.infer<typeof Snapshot>): void {
    Object.assign(view, { activities: byId(activities), notables: byId(notables), collisions: byPair(collisions) })
    for (const { id } of activities) view.seen.add(id)
    sent.clear()
    hasBegun = true
  }

  function takeActivity(activity: StoredRecord): void {
    note(activity.id, withoutTimes(activity))
    view.seen.add(activity.id)
    const isShown = !ended.has(activity.status) && activity.covered_by === null
    if (isShown) view.activities.set(activity.id, activity)
    else view.activities.delete(activity.id)
  }

  function takeNotable(notable: StoredRecord): void {
    note(notable.id, withoutTimes(notable))
    if (notable.status === 'active') view.notables.set(notable.id, notable)
    else view.notables.delete(notable.id)
  }

  function takePair(pair: Pair): void {
    const key = keyOf(pair)
    note(key, { ...withoutTexts(pair), gone: pair.gone })
    if (pair.gone) view.collisions.delete(key)
    else view.collisions.set(key, pair)
  }

  function note(key: string, content: object): void {
    if (!hasBegun) return
    const text = JSON.stringify(content)
    if (sent.get(key) === text) view.doubled.push(`sent twice: ${text}`)
    sent.set(key, text)
  }

  return view
}

const ended = new Set(['merged', 'abandoned', 'archived', 'expired'])

/** Returns a line for each record and pair that only one of the two has, or that differs. */
export function differences(a: RepositoryView, b: RepositoryView): string[] {
  return [
    ...mapDifferences('activity', a.activities, b.activities, withoutReadingTime),
    ...mapDifferences('notable', a.notables, b.notables, withoutTimes),
    ...mapDifferences('collision', a.collisions, b.collisions, withoutTexts),
  ]
}

function mapDifferences<Item>(
  kind: string,
  a: Map<string, Item>,
  b: Map<string, Item>,
  contentOf: (item: Item) => object,
): string[] {
  const textIn = (map: Map<string, Item>, key: string) => {
    const item = map.get(key)
    return item === undefined ? 'absent' : JSON.stringify(contentOf(item))
  }
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((key) => [key, textIn(a, key), textIn(b, key)] as const)
    .filter(([, one, other]) => one !== other)
    .map(([key, one, other]) => `${kind} ${key}: ${one} and ${other}`)
}

/** Heartbeats move these, which is no event of its own. */
function withoutTimes(record: object): object {
  return { ...record, heartbeat_at: undefined, expires_at: undefined }
}

/** A reading that found nothing new is no event either. */
function withoutReadingTime(record: StoredRecord): object {
  const { changes } = record
  const isObject = typeof changes === 'object' && changes !== null
  return withoutTimes({ ...record, changes: isObject ? { ...changes, read_at: undefined } : changes })
}

/** The reason has titles and ages; a pair is not sent again for them. */
function withoutTexts(pair: Pair): object {
  return { ...pair, reason: undefined, since: undefined }
}

function keyOf({ activity_ids }: Pair): string {
  return activity_ids.toSorted().join(' ')
}

function byId(records: readonly StoredRecord[]): Map<string, StoredRecord> {
  return new Map(records.map((record) => [record.id, record]))
}

function byPair(pairs: readonly Pair[]): Map<string, Pair> {
  return new Map(pairs.map((pair) => [keyOf(pair), pair]))
}
