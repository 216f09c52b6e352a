import type { Activity } from '../activity/schema.ts'
import type { Notable } from '../notable/schema.ts'
import { type CollidingPair, type Collisions, pairsOf } from './schema.ts'

/** What changed in a watched repository (docs/rules.md#events). */
export type LiveEvent =
  | { event: 'activity'; data: Activity }
  | { event: 'notable'; data: Notable }
  | { event: 'collision'; data: CollidingPair & { gone?: true } }
  | { event: 'collisions'; data: Collisions }
  | { event: 'alive'; data: { items: Pick<Activity, 'id' | 'heartbeat_at' | 'expires_at'>[] } }

/** The events of one poll. A client that has read them all goes on from `id`. */
export interface Batch {
  id: string
  events: readonly LiveEvent[]
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

/** The part of a batch that concerns one activity. */
export function narrowed({ id, events }: Batch, activityId: string): Batch {
  return {
    id,
    events: events.flatMap((one): LiveEvent[] => {
      if (one.event === 'collisions') {
        return [{ event: 'collisions', data: { ...one.data, items: pairsOf(one.data.items, activityId) } }]
      }
      if (one.event === 'alive') {
        const items = one.data.items.filter((item) => item.id === activityId)
        return items.length > 0 ? [{ event: 'alive', data: { items } }] : []
      }
      return concerns(one, activityId) ? [one] : []
    }),
  }
}
