import type { LiveEvent } from '../../core/schemas/live-event.ts'
import type { HeldActivity } from './held-record.ts'

export interface Heartbeats {
  /** Notes the heartbeats as known to all clients. */
  note(now: Date): void
  /** Whether moved heartbeats are to be sent. All live activities have to be read before. */
  areDue(now: Date): boolean
  /** The event with the moved heartbeats, if it is due. */
  events(now: Date): LiveEvent[]
}

/** How often moved heartbeats are sent, in ms. */
const everyMs = 60_000

/** Sends moved heartbeats together. They are no changes of a record. */
export function createHeartbeats(activities: ReadonlyMap<string, HeldActivity>): Heartbeats {
  let notedAt = 0
  let noted = new Map<string, string>()
  const areDue = (now: Date) => now.getTime() - notedAt >= everyMs

  function note(now: Date): void {
    notedAt = now.getTime()
    noted = new Map([...activities.values()].map((activity) => [activity.id, timesOf(activity)]))
  }

  return {
    note,
    areDue,
    events(now) {
      if (!areDue(now)) return []
      const moved = [...activities.values()].filter((activity) => noted.get(activity.id) !== timesOf(activity))
      note(now)
      const items = moved.map(({ id, heartbeat_at, expires_at }) => ({ id, heartbeat_at, expires_at }))
      return items.length > 0 ? [{ event: 'alive', data: { items } }] : []
    },
  }
}

function timesOf({ heartbeat_at, expires_at }: HeldActivity): string {
  return `${heartbeat_at} ${expires_at}`
}
