import { getOrCreate } from '../../core/lib/maps.ts'
import { type Collisions, mostSentBytes } from '../../core/schemas/live.ts'
import type { LiveEvent } from '../../core/schemas/live-event.ts'

/** Text for a client. Several clients may have the same parts, so that each is in memory once. */
export interface EventText {
  parts: readonly Buffer[]
  /** The names of its events. */
  names: readonly string[]
  /** Whether it replaces all that was sent before. */
  isSnapshot: boolean
}

/** The events of one poll. */
export interface Batch {
  events: readonly LiveEvent[]
  /** Of all events. */
  bytes: number
  /** The text for streams of everything, or of one activity, the same for all of them; undefined without an event. */
  textFor(activityId: string | undefined): EventText | undefined
}

/** A client that has read all of the batch goes on from `id`. `collisionsOf` returns all pairs of an activity. */
export function createBatch(
  id: string,
  events: readonly LiveEvent[],
  collisionsOf: (activityId: string) => Collisions,
): Batch {
  const texts = new Map<string | undefined, EventText>()
  const toText = (some: readonly LiveEvent[]): EventText => ({
    parts: [Buffer.from(formatEvents({ id, events: some }))],
    names: some.map(({ event }) => event),
    isSnapshot: false,
  })
  const all = toText(events)
  texts.set(undefined, all)
  return {
    events,
    bytes: all.parts[0]?.length ?? 0,
    textFor(activityId) {
      const known = texts.get(activityId)
      if (known) return known
      const own = activityId === undefined ? [] : narrowed(events, activityId, collisionsOf)
      return own.length === 0 ? undefined : getOrCreate(texts, activityId, () => toText(own))
    },
  }
}

/** Collects events, as long as they are not larger than a snapshot together. */
export function collectEvents() {
  const events: LiveEvent[] = []
  let bytes = 0
  return {
    add(event: LiveEvent): void {
      if (bytes > mostSentBytes) return
      bytes += Buffer.byteLength(JSON.stringify(event.data))
      if (bytes > mostSentBytes) events.length = 0
      else events.push(event)
    },
    /** Undefined if they are larger. */
    all: () => (bytes > mostSentBytes ? undefined : events),
  }
}

/**
 * The text of server-sent events. JSON has no line breaks. The id stands in the last event alone, so that it covers them all;
 * without an id the client keeps its last one.
 */
export function formatEvents({
  id,
  events,
}: {
  id?: string
  events: readonly { event: string; data: unknown }[]
}): string {
  return events
    .map(({ event, data }, index) => {
      const idLine = id !== undefined && index === events.length - 1 ? `id: ${id}\n` : ''
      return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`
    })
    .join('')
}

/** Whether the event concerns this activity: the record itself, or a pair with it. */
function concerns({ event, data }: LiveEvent, activityId: string): boolean {
  if (event === 'collision') return data.activity_ids.includes(activityId)
  return event === 'activity' && data.id === activityId
}

/** The part of the events that concerns one activity. */
function narrowed(
  events: readonly LiveEvent[],
  activityId: string,
  collisionsOf: (activityId: string) => Collisions,
): LiveEvent[] {
  return events.flatMap((one): LiveEvent[] => {
    if (one.event === 'collisions') return [{ event: 'collisions', data: collisionsOf(activityId) }]
    if (one.event === 'alive') {
      const items = one.data.items.filter((item) => item.id === activityId)
      return items.length > 0 ? [{ event: 'alive', data: { items } }] : []
    }
    return concerns(one, activityId) ? [one] : []
  })
}
