import { createEventParser, type ServerSentEvent } from '../../core/lib/parse-events.ts'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { applyEvent, type LiveState, type PageEvent } from '../model/live-state.ts'
import { type Problem, problemOf, type Refusal } from '../model/problem.ts'
import { createPoll, Refused } from './lists.ts'
import { apiPath, readRefusal } from './requests.ts'

/** While the page connects again for the first time after a loss, it stays `live`: that mostly works. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost'

/** The state that the page shows, and the state of the connection. */
export interface LiveView {
  state?: LiveState
  connection: Connection
  /** When the service last sent anything, in ms. */
  lastReceivedAt?: number
  problem?: Problem | undefined
  /** The time of the next attempt, in ms. */
  retryAt?: number | undefined
}

export const firstView: LiveView = { connection: 'connecting' }

/** After this long without a byte the page connects again. The service sends a heartbeat every 15 s. */
const silentMs = 40_000
const pollMs = 15_000
/** How long the page polls before it tries a stream again. */
const pollForMs = 300_000
const [firstRetryMs, lastRetryMs] = [1_000, 30_000]

export interface Following {
  /** Makes the next attempt at once. */
  retry(): void
  /** Connects again. */
  check(): void
  stop(): void
}

/** Follows a repository until `stop`, and reconnects after each loss. */
export function followRepository(repository: RepositoryOfPage, onChange: (view: LiveView) => void): Following {
  const stopping = new AbortController()
  const { signal } = stopping
  const poll = createPoll(repository)
  let view = firstView
  let lastEventId: string | undefined
  let retryMs = firstRetryMs
  let wake: (() => void) | undefined
  let isHurried = false
  let cut = () => {}

  function show(change: Partial<LiveView>): void {
    if (signal.aborted) return
    view = { ...view, ...change }
    onChange(view)
  }

  function showReceived(connection: 'live' | 'polling', state: LiveState | undefined): void {
    retryMs = firstRetryMs
    const received = { connection, lastReceivedAt: Date.now(), problem: undefined, retryAt: undefined }
    show(state ? { ...received, state } : received)
  }

  async function pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      if (isHurried || signal.aborted) return resolve()
      wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    wake = undefined
    isHurried = false
  }

  /** Undefined: the service did not answer. */
  async function onRefusal(refusal: Refusal | undefined): Promise<void> {
    const problem = problemOf(refusal)
    const { retryAfterSeconds } = problem
    // Other problems need a person, who signs in or requests access.
    const waitMs = retryAfterSeconds === undefined ? undefined : refusal ? retryAfterSeconds * 1000 : retryMs
    retryMs = Math.min(2 * retryMs, lastRetryMs)
    show({ connection: 'lost', problem, retryAt: waitMs === undefined ? undefined : Date.now() + waitMs })
    await pause(waitMs ?? 2 ** 31 - 1)
  }

  /** Polls until it is time to try a stream again. Throws `Refused` where the first poll is refused. */
  async function pollFor(ms: number): Promise<void> {
    const end = Date.now() + ms
    for (let isFirst = true; isFirst || (Date.now() < end && !signal.aborted); isFirst = false) {
      if (!isFirst) await pause(pollMs)
      try {
        const data = { ...(await poll(signal)), access: view.state?.access ?? 'read' }
        lastEventId = undefined
        showReceived('polling', applyEvent(view.state, { event: 'snapshot', data }))
      } catch (error) {
        if (isFirst || !(error instanceof Refused)) throw error
        return await onRefusal(error.refusal)
      }
    }
  }

  async function onEnd(end: StreamEnd): Promise<void> {
    const refusal = end.how === 'refused' ? end.refusal : undefined
    const isFull = refusal?.status === 429 || refusal?.status === 503
    if (end.how === 'held back' || isFull) {
      // Streams have a lower rate limit than lists.
      const ms = isFull ? (problemOf(refusal).retryAfterSeconds ?? 1) * 1000 : pollForMs
      await pollFor(ms).catch(() => onRefusal(refusal))
    } else if (end.how === 'bye') {
      // After these the next stream is refused for the same reason.
      const isOver = end.bye.code === 'not_found' || end.bye.code === 'invalid_token'
      if (!isOver) await pause(end.bye.retryAfterSeconds * 1000)
    } else if (end.how === 'lost' && end.hadEvents) {
      await pause(firstRetryMs)
    } else await onRefusal(refusal)
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const stream = new AbortController()
      cut = () => stream.abort()
      const end = await readStream({
        url: apiPath(repository, '/events'),
        lastEventId,
        signal: AbortSignal.any([signal, stream.signal]),
        receive(events, id) {
          lastEventId = id ?? lastEventId
          const state = events.reduce(applyEvent, view.state)
          if (state) showReceived('live', state)
        },
      })
      if (!signal.aborted) await onEnd(end)
    }
  }

  void follow()
  return {
    retry() {
      retryMs = firstRetryMs
      if (wake) wake()
      else isHurried = true
    },
    check: () => cut(),
    stop() {
      stopping.abort()
      wake?.()
    },
  }
}

type StreamEnd =
  | { how: 'refused'; refusal: Refusal }
  /** The service ended the stream with a reason. */
  | { how: 'bye'; bye: Bye }
  /** Nothing arrived: a proxy holds back the events or even the headers. */
  | { how: 'held back' }
  /** `hadEvents`: it worked before. */
  | { how: 'lost'; hadEvents: boolean }

interface StreamOptions {
  url: string
  lastEventId: string | undefined
  signal: AbortSignal
  /** Called with the events of one chunk, and the id to continue from. The list is empty for a heartbeat. */
  receive(events: readonly PageEvent[], id: string | undefined): void
}

/** Reads a stream of events until it ends. `EventSource` would hide the status and never retry a 503. Never throws. */
async function readStream({ url, lastEventId, signal, receive }: StreamOptions): Promise<StreamEnd> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silentMs)
  let hadEvents = false
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
      hadEvents ||= events.length > 0
      receive(
        events.filter((one) => one.event !== 'bye'),
        found.at(-1)?.id,
      )
      if (bye) return { how: 'bye', bye: bye.data }
    }
    return { how: 'lost', hadEvents }
  } catch {
    return !hadEvents && silence.signal.aborted ? { how: 'held back' } : { how: 'lost', hadEvents }
  } finally {
    clearTimeout(timer)
  }
}

const known = new Set(['snapshot', 'activity', 'notable', 'collision', 'collisions', 'alive'])

interface Bye {
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
