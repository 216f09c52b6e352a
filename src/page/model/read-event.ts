import type { ServerSentEvent } from '../../lib/parse-events.ts'
import type { PageEvent } from './live-state.ts'

const known = new Set(['snapshot', 'activity', 'notable', 'collision', 'collisions', 'alive'])

export interface Bye {
  code: string
  retryAfterSeconds: number
}

/** An event of the stream as data; undefined for events that a newer service may send. */
export function readEvent({ event, data }: ServerSentEvent): PageEvent | { event: 'bye'; data: Bye } | undefined {
  if (event === 'bye') {
    const { code = '', retry_after = 5 } = JSON.parse(data)
    return {
      event,
      data: { code: String(code), retryAfterSeconds: Math.min(Math.max(Number(retry_after) || 0, 0), 60) },
    }
  }
  // The service is our own, and its events are held to the schemas by its tests.
  return known.has(event) ? ({ event, data: JSON.parse(data) } as PageEvent) : undefined
}
