import { createEventParser, type ServerSentEvent } from '../../core/lib/parse-events.ts'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { applyEvent, type LiveState, type PageEvent } from '../model/live-state.ts'
import { offline, type Problem } from '../model/problem.ts'
import { createPoll, type Refused } from './lists.ts'
import { apiPath, readProblem } from './requests.ts'

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
  /** Makes the next attempt at once. While one is on its way, that is the next. */
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
  /** Until then lists are read, in place of the stream. */
  let pollUntil = 0
  let wake: (() => void) | undefined
  let attempt = new AbortController()

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
      if (signal.aborted) return resolve()
      wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    wake = undefined
  }

  /** Waits until it is time for the next attempt, or until a person asks for one. */
  async function onProblem(problem: Problem): Promise<void> {
    const { kind, retryAfterSeconds = Infinity } = problem
    const waitMs = kind === 'offline' ? retryMs : retryAfterSeconds * 1000
    retryMs = Math.min(2 * retryMs, lastRetryMs)
    // Some problems need a person, who signs in or requests access.
    const needsPerson = waitMs === Infinity
    show({ connection: 'lost', problem, retryAt: needsPerson ? undefined : Date.now() + waitMs })
    await pause(needsPerson ? 2 ** 31 - 1 : waitMs)
  }

  /** Reads once what the stream would send. */
  async function readLists(): Promise<void> {
    const lists = await poll(signal).catch((error: Refused) => error)
    if (lists instanceof Error) {
      pollUntil = 0
      return await onProblem(lists.problem)
    }
    lastEventId = undefined
    const data = { ...lists, access: view.state?.access ?? 'read' }
    showReceived('polling', applyEvent(view.state, { event: 'snapshot', data }))
    await pause(pollMs)
  }

  async function onEnd(end: StreamEnd): Promise<void> {
    if (end.how === 'again') return await pause(end.afterMs)
    if (end.how === 'held back') pollUntil = Date.now() + pollForMs
    // Streams have a lower rate limit than lists.
    else if (end.problem.status >= 429) pollUntil = Date.now() + (end.problem.retryAfterSeconds ?? 0) * 1000
    else await onProblem(end.problem)
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      if (Date.now() < pollUntil) {
        await readLists()
        continue
      }
      attempt = new AbortController()
      const end = await readStream({
        url: apiPath(repository, '/events'),
        ...{ lastEventId, attempt, stopped: signal },
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
      wake?.()
    },
    check: () => attempt.abort(),
    stop() {
      stopping.abort()
      wake?.()
    },
  }
}

type StreamEnd =
  /** It was refused, or there was no answer. */
  | { how: 'refused'; problem: Problem }
  /** Nothing arrived: a proxy holds back the events or even the headers. */
  | { how: 'held back' }
  /** It worked before. */
  | { how: 'again'; afterMs: number }

interface StreamOptions {
  url: string
  lastEventId: string | undefined
  attempt: AbortController
  stopped: AbortSignal
  /** Called with the events of one chunk, and the id to continue from. The list is empty for a heartbeat. */
  receive(events: readonly PageEvent[], id: string | undefined): void
}

/** Reads a stream of events until it ends. `EventSource` would hide the status and never retry a 503. Never throws. */
async function readStream({ url, lastEventId, attempt, stopped, receive }: StreamOptions): Promise<StreamEnd> {
  const startTimer = () => setTimeout(() => attempt.abort('silent'), silentMs)
  let timer = startTimer()
  let hadEvents = false
  const onLoss = (): StreamEnd =>
    hadEvents ? { how: 'again', afterMs: firstRetryMs } : { how: 'refused', problem: offline }
  try {
    const response = await fetch(url, {
      cache: 'no-store',
      headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: AbortSignal.any([stopped, attempt.signal]),
    })
    if (response.status !== 200 || !response.body) return { how: 'refused', ...(await readProblem(response)) }
    const parser = createEventParser()
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer)
      timer = startTimer()
      const found = parser.parse(decoder.decode(piece.value, { stream: true }))
      const events = found.flatMap((one) => readEvent(one) ?? [])
      hadEvents ||= events.length > 0
      receive(
        events.filter((one) => one.event !== 'bye'),
        found.at(-1)?.id,
      )
      const bye = events.find((one) => one.event === 'bye')
      if (bye) return { how: 'again', afterMs: bye.data.retryAfterSeconds * 1000 }
    }
    return onLoss()
  } catch {
    return attempt.signal.reason === 'silent' && !hadEvents ? { how: 'held back' } : onLoss()
  } finally {
    clearTimeout(timer)
  }
}

const known = new Set(['snapshot', 'activity', 'notable', 'collision', 'collisions', 'alive'])

interface Bye {
  retryAfterSeconds: number
}

/** An event of the stream as data; undefined for events that a newer service may send. */
export function readEvent({ event, data }: ServerSentEvent): PageEvent | { event: 'bye'; data: Bye } | undefined {
  if (event === 'bye') {
    const { code, retry_after = 5 } = JSON.parse(data)
    // After these the next stream is refused for the same reason.
    const isOver = code === 'not_found' || code === 'invalid_token'
    return { event, data: { retryAfterSeconds: isOver ? 0 : Math.min(Math.max(Number(retry_after) || 0, 0), 60) } }
  }
  // The service is our own, and its events are held to the schemas by its tests.
  return known.has(event) ? ({ event, data: JSON.parse(data) } as PageEvent) : undefined
}
