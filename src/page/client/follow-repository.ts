import { createEventParser, type ServerSentEvent } from '../../core/lib/parse-events.ts'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { applyEvent, type LiveState, type PageEvent } from '../model/live-state.ts'
import { offline, type Problem } from '../model/problem.ts'
import { createPoll, type Refused } from './lists.ts'
import { apiPath, readProblem } from './requests.ts'

/** While the page connects again for the first time after a loss, it stays `live`: that mostly works. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost'

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
    // The lists waited for comparisons already, so no pair of before is kept.
    showReceived('polling', applyEvent(undefined, { event: 'snapshot', data }))
    await pause(pollMs)
  }

  async function onRefusal(problem: Problem): Promise<void> {
    // Streams have a lower rate limit than lists.
    if (problem.status >= 429) pollUntil = Date.now() + (problem.retryAfterSeconds ?? 0) * 1000
    else await onProblem(problem)
  }

  /** Reads the stream until it ends. `EventSource` would hide the status and never retry a 503. Never throws. */
  async function readStream(): Promise<void> {
    attempt = new AbortController()
    const { signal: lost } = attempt
    const startTimer = () => setTimeout(() => attempt.abort('silent'), silentMs)
    let timer = startTimer()
    let hadEvents = false
    try {
      const response = await fetch(apiPath(repository, '/events'), {
        cache: 'no-store',
        headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
        signal: AbortSignal.any([signal, lost]),
      })
      if (response.status !== 200 || !response.body) return onRefusal(await readProblem(response))
      const parser = createEventParser()
      const decoder = new TextDecoder()
      const reader = response.body.getReader()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(timer)
        timer = startTimer()
        const found = parser.parse(decoder.decode(piece.value, { stream: true }))
        const events = found.flatMap((one) => readEvent(one) ?? [])
        hadEvents ||= events.length > 0
        lastEventId = found.at(-1)?.id ?? lastEventId
        const bye = events.find((one) => one.event === 'bye')
        const state = events.filter((one) => one.event !== 'bye').reduce(applyEvent, view.state)
        if (state) showReceived('live', state)
        if (bye) return pause(bye.data.retryAfterSeconds * 1000)
      }
    } catch {
      // What follows is the same as where the stream has ended.
    } finally {
      clearTimeout(timer)
    }
    if (hadEvents) return pause(firstRetryMs)
    // Nothing arrived: a proxy holds back the events or even the headers.
    if (lost.reason === 'silent') pollUntil = Date.now() + pollForMs
    else await onProblem(offline)
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) await (Date.now() < pollUntil ? readLists() : readStream())
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

const known = new Set(['snapshot', 'activity', 'notable', 'collision', 'collisions', 'alive'])

interface Bye {
  event: 'bye'
  data: { retryAfterSeconds: number }
}

/** An event of the stream as data; undefined for events that a newer service may send. */
export function readEvent({ event, data }: ServerSentEvent): PageEvent | Bye | undefined {
  if (event === 'bye') {
    const { code, retry_after = 5 } = JSON.parse(data)
    // After these the next stream is refused for the same reason.
    const isOver = code === 'not_found' || code === 'invalid_token'
    return { event, data: { retryAfterSeconds: isOver ? 0 : Math.min(Math.max(Number(retry_after) || 0, 0), 60) } }
  }
  // The service is our own, and its events are held to the schemas by its tests.
  return known.has(event) ? ({ event, data: JSON.parse(data) } as PageEvent) : undefined
}
