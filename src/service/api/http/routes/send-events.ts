import type { Response } from 'express'
import type { AppError } from '../../../../core/errors.ts'
import { secondsToRetry } from '../../../../core/lib/retry-after.ts'
import type { Viewer } from '../../../context.ts'
import type { EmitEvent } from '../../../lib/service-events.ts'
import { type EventText, formatEvents } from '../../../live/event-batch.ts'
import type { EventStream } from '../../../live/stream.ts'
import type { OpenStreams, StreamCaller } from '../limits/stream-limits.ts'
import { toAppError } from '../middleware/error-handler.ts'
import { createEventWriter } from '../server/event-writer.ts'
import type { SlowReaders } from '../server/slow-readers.ts'

export interface SendEventsOptions {
  streams: OpenStreams
  slowReaders: SlowReaders
  caller: StreamCaller
  /** Checks the caller's access to the repository of the stream again. Throws what `authorize` throws. */
  authorize(): Promise<Viewer>
  /** How often it is checked, in ms. */
  recheckMs: number
  emit: EmitEvent
  /** Calls the listener when the caller signs out. Returns how to stop that. Absent: there is no session. */
  onSignOut?: (listener: () => void) => (() => void) | undefined
}

const retryMs = 3_000
const keepAliveMs = 15_000
const keepAlive = Buffer.from(': keep-alive\n\n')
/** How long the rights may be unknown, as while GitHub is away, in ms. Nothing is sent meanwhile. */
const unknownRightsMs = 30_000
const recheckWhileUnknownMs = 2_000
/** How long a client may take to read the first text, in ms. Then its connection is closed. */
const firstReadMs = 20_000

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** Sends a stream of server-sent events until one side ends it. Throws if no further stream may be opened. */
export function sendEvents(response: Response, stream: EventStream, options: SendEventsOptions): void {
  const release = options.streams.add(options.caller, () => endWith('draining'))
  const writer = createEventWriter(response, { slowReaders: options.slowReaders, firstReadMs })
  let timer: NodeJS.Timeout | undefined
  let unknownSince: number | undefined

  function send(text: EventText): void {
    writer.send(text)
    for (const event of text.names) options.emit({ kind: 'live_event', event })
  }

  function endWith(code: AppError['code'] | 'draining'): void {
    if (response.writableEnded) return
    const retryAfter = secondsToRetry(code === 'draining' ? code : 'stream_ended')
    const bye = formatEvents({ events: [{ event: 'bye', data: { code, retry_after: retryAfter } }] })
    options.emit({ kind: 'live_event', event: 'bye' })
    writer.end(Buffer.from(code === 'draining' ? `retry: ${retryAfter * 1000}\n${bye}` : bye))
  }

  async function recheck(): Promise<void> {
    try {
      const viewer = await options.authorize()
      // The client reconnects, and gets a snapshot of what it may see now.
      if (!(await stream.isCurrent(viewer))) return endWith('unavailable')
      unknownSince = undefined
      writer.resume()
      again(options.recheckMs)
    } catch (error) {
      const { code } = toAppError(error)
      const isUnknown = code === 'github_unavailable' || code === 'github_rate_limited' || code === 'unavailable'
      unknownSince ??= performance.now()
      if (!isUnknown || performance.now() - unknownSince >= unknownRightsMs)
        return endWith(isUnknown ? 'unavailable' : code)
      writer.pause()
      again(recheckWhileUnknownMs)
    }
  }

  function again(ms: number): void {
    if (!response.closed) timer = setTimeout(() => void recheck(), Math.max(ms, 100)).unref()
  }

  const ignoreSignOut = options.onSignOut?.(() => endWith('invalid_token'))
  response.once('close', () => {
    ignoreSignOut?.()
    clearTimeout(timer)
    clearInterval(keepingAlive)
    writer.stop()
    stream.stop()
    release()
  })
  response.status(200).set(streamHeaders)
  response.flushHeaders()
  const keepingAlive = setInterval(
    () => send({ parts: [keepAlive], names: [], isSnapshot: false }),
    keepAliveMs,
  ).unref()
  // The events that a client missed may be as large as a snapshot.
  const { parts, names } = stream.first
  send({ parts: [Buffer.from(`retry: ${retryMs}\n\n`), ...parts], names, isSnapshot: true })
  stream.listen(send)
  again(options.recheckMs)
}
