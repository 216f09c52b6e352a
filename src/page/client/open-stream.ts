import { createEventParser, type ServerSentEvent } from '../../lib/parse-events.ts'
import type { PageEvent } from '../model/live-state.ts'
import type { Refusal } from '../model/problem.ts'
import { readRefusal } from './requests.ts'

export type StreamEnd =
  | { how: 'refused'; refusal: Refusal }
  /** The service ended the stream with a reason. */
  | { how: 'bye'; bye: Bye }
  /** Nothing arrived: a proxy holds back the events or even the headers. */
  | { how: 'held back' }
  | { how: 'lost' }

export interface StreamOptions {
  url: string
  lastEventId: string | undefined
  signal: AbortSignal
  /** After this long without a byte the stream counts as silent, in ms. */
  silentMs: number
  /** Called with the events of one chunk, and the id to continue from. The list is empty for a heartbeat. */
  receive(events: readonly PageEvent[], id: string | undefined): void
}

/** Reads a stream of events until it ends. `EventSource` would hide the status and never retry a 503. Never throws. */
export async function readStream({ url, lastEventId, signal, silentMs, receive }: StreamOptions): Promise<StreamEnd> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silentMs)
  let hasEvents = false
  try {
    const response = await fetch(url, {
      cache: 'no-store',
      headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status !== 200 || !response.body)
      return { how: 'refused', refusal: (await readRefusal(response)).refusal }
    const parser = createEventParser()
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silentMs)
      const found = parser.parse(decoder.decode(piece.value, { stream: true }))
      const events = found.flatMap((one) => readEvent(one) ?? [])
      const bye = events.find((one) => one.event === 'bye')
      hasEvents ||= events.length > 0
      receive(
        events.filter((one) => one.event !== 'bye'),
        found.at(-1)?.id,
      )
      if (bye) return { how: 'bye', bye: bye.data }
    }
    return { how: 'lost' }
  } catch {
    return { how: !hasEvents && silence.signal.aborted ? 'held back' : 'lost' }
  } finally {
    clearTimeout(timer)
  }
}

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
