import { applyEvent, type LiveState } from '../model/live-state.ts'
import { offline, type Problem, problemOf, type Refusal } from '../model/problem.ts'
import { createPoll } from './lists.ts'
import { readStream, type StreamEnd } from './open-stream.ts'
import { apiPath } from './requests.ts'

/** `reconnecting` is the first attempt after a loss. It mostly works, so the page shows no warning yet. */
export type Connection = 'connecting' | 'live' | 'polling' | 'reconnecting' | 'lost'

/** The state that the page shows, and the state of the connection. */
export interface LiveView {
  state: LiveState | undefined
  connection: Connection
  /** When the service last sent anything, in ms. */
  lastReceivedAt: number | undefined
  problem: Problem | undefined
  /** The time of the next attempt, in ms. */
  retryAt: number | undefined
}

export const firstView: LiveView = {
  state: undefined,
  connection: 'connecting',
  lastReceivedAt: undefined,
  problem: undefined,
  retryAt: undefined,
}

/** After this long without a byte the page connects again. The service sends a heartbeat every 15 s. */
const silentMs = 40_000
const pollMs = 15_000
/** How long the page polls before it tries a stream again. */
const pollForMs = 300_000
const [firstRetryMs, lastRetryMs] = [1_000, 30_000]

interface FollowOptions {
  owner: string
  repo: string
  githubUrl(): string | undefined
  onChange(view: LiveView): void
}

/**
 * Follows a repository until `stop`, and reconnects after each loss. `retry` makes the next attempt at once, and
 * `check` connects again.
 */
export function followRepository(options: FollowOptions): { retry(): void; check(): void; stop(): void } {
  const { owner, repo, githubUrl, onChange } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const poll = createPoll(owner, repo)
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

  function showReceived(connection: 'live' | 'polling', state = view.state): void {
    retryMs = firstRetryMs
    show({ state, connection, lastReceivedAt: Date.now(), problem: undefined, retryAt: undefined })
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

  function stop(): void {
    stopping.abort()
    wake?.()
  }

  /** Ends a pause. During an attempt, skips the next pause. */
  function retry(): void {
    retryMs = firstRetryMs
    if (wake) wake()
    else isHurried = true
  }

  async function lose(problem: Problem, waitMs: number | undefined): Promise<void> {
    const retryAt = waitMs === undefined ? undefined : Date.now() + waitMs
    show({ connection: 'lost', problem, retryAt })
    await pause(waitMs ?? 2 ** 31 - 1)
  }

  async function reconnect(waitMs: number): Promise<void> {
    show({ connection: 'reconnecting' })
    await pause(waitMs)
  }

  async function onRefusal(refusal: Refusal | undefined): Promise<void> {
    const problem = refusal ? problemOf(refusal, githubUrl()) : offline
    const { retryAfterSeconds } = problem
    // Other problems need a person, who signs in or requests access.
    const waitMs = retryAfterSeconds === undefined ? undefined : refusal ? retryAfterSeconds * 1000 : retryMs
    retryMs = Math.min(2 * retryMs, lastRetryMs)
    await lose(problem, waitMs)
  }

  /** Polls until it is time to try a stream again. Returns whether the service answered at all. */
  async function pollFor(ms: number): Promise<boolean> {
    const end = Date.now() + ms
    let isFirst = true
    do {
      if (!isFirst) await pause(pollMs)
      const result = await poll(signal)
      if (signal.aborted) return true
      if (!result.ok) {
        if (!isFirst) await onRefusal(result.refusal)
        return !isFirst
      }
      isFirst = false
      const data = { ...result.snapshot, access: view.state?.access ?? 'read' }
      lastEventId = undefined
      showReceived('polling', applyEvent(view.state, { event: 'snapshot', data }))
    } while (Date.now() < end && !signal.aborted)
    return true
  }

  async function onEnd(end: StreamEnd): Promise<void> {
    if (end.how === 'held back') {
      if (!(await pollFor(pollForMs))) await onRefusal(undefined)
    } else if (end.how === 'lost') {
      if (view.connection === 'live') await reconnect(firstRetryMs)
      else await onRefusal(undefined)
    } else if (end.how === 'bye') {
      // The next stream would be refused for the same reason.
      const isOver = end.bye.code === 'not_found' || end.bye.code === 'invalid_token'
      if (!isOver) await reconnect(end.bye.retryAfterSeconds * 1000)
    } else {
      const { status } = end.refusal
      const problem = problemOf(end.refusal, githubUrl())
      // Streams have a lower rate limit than lists.
      const isFull = status === 429 || status === 503
      if (isFull && (await pollFor((problem.retryAfterSeconds ?? 1) * 1000))) return
      await onRefusal(end.refusal)
    }
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const stream = new AbortController()
      cut = () => stream.abort()
      const end = await readStream({
        url: apiPath(owner, repo, '/events'),
        lastEventId,
        signal: AbortSignal.any([signal, stream.signal]),
        silentMs,
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
  return { retry, check: () => cut(), stop }
}
