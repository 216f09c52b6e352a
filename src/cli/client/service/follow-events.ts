import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerSentEvent } from '../../../core/lib/parse-events.ts'
import { Failure } from '../../failure.ts'
import { asRecord, numberField, parseJson } from '../json.ts'
import type { Api } from './api.ts'
import { NoResponse } from './event-stream.ts'

export interface FollowOptions {
  api: Pick<Api, 'stream'>
  /** Below the repository: `/events?…` */
  path: string
  /** Returns true to stop. */
  receive(event: ServerSentEvent): boolean
  /** Called when a connection is lost, with the reason, and when there is one again. */
  lost(reason: string): void
  signal: AbortSignal
  /** After this long without a byte the stream counts as held back, in ms. */
  silentMs: number
  /** Waits before the next connection. Tests replace it. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

const firstRetryMs = 1_000
const lastRetryMs = 30_000
/** The longest wait that the service can request. */
const longestWaitMs = 60_000

/** Whether it is a refusal that another attempt can not change. */
export function isFinal(error: unknown): boolean {
  const status = error instanceof Failure ? error.status : undefined
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

/**
 * Follows a stream of events, and continues where it was after each lost connection. Returns `stopped` when `receive`
 * requests it or the signal aborts, and `held back` when connections are made but nothing comes through: a proxy keeps
 * the events. Throws a `Failure` that another attempt can not change.
 */
export async function followEvents({
  api,
  path,
  receive,
  lost,
  signal,
  silentMs,
  wait = pause,
}: FollowOptions): Promise<'stopped' | 'held back'> {
  let lastEventId: string | undefined
  let retryMs = firstRetryMs
  while (!signal.aborted) {
    try {
      const stream = await api.stream(path, { lastEventId, silentMs })
      let isStopped = false
      let count = 0
      let byeMs: number | undefined
      const end = await stream.read((event) => {
        count++
        lastEventId = event.id ?? lastEventId
        retryMs = firstRetryMs
        if (event.event === 'bye') byeMs = waitAfterBye(event)
        else isStopped = receive(event)
        return isStopped
      })
      if (isStopped) return 'stopped'
      if (end === 'silent' && count === 0) return 'held back'
      lost('The stream ended.')
      await wait(byeMs ?? Math.min(stream.retryMs() ?? firstRetryMs, longestWaitMs), signal)
    } catch (error) {
      if (signal.aborted) break
      if (isFinal(error)) throw error
      if (error instanceof NoResponse) return 'held back'
      lost(error instanceof Error ? error.message : 'The connection failed.')
      await wait(retryMs, signal)
      retryMs = Math.min(2 * retryMs, lastRetryMs)
    }
  }
  return 'stopped'
}

/** How long to wait after the service has ended the stream, in ms. */
function waitAfterBye({ data }: ServerSentEvent): number {
  return Math.min((numberField(asRecord(parseJson(data)), 'retry_after') ?? 5) * 1000, longestWaitMs)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
