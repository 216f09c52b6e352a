import type { Request, Response } from 'express'
import type { Viewer } from '../../context.ts'
import type { AppError } from '../../errors.ts'
import { formatEvents } from '../../live/live-event.ts'
import type { EventStream } from '../../live/stream.ts'
import type { OpenStreams, StreamCaller } from '../limits/stream-limits.ts'
import { toAppError } from '../middleware/error-handler.ts'

export interface SendEventsOptions {
  streams: OpenStreams
  caller: StreamCaller
  /** Checks the caller's access to the repository of the stream again. Throws what `authorize` throws. */
  authorize(): Promise<Viewer>
  /** How often it is checked, in ms. */
  recheckMs: number
  /** Calls the listener when the caller signs out. Returns how to stop that. Absent: there is no session. */
  onSignOut?: (listener: () => void) => (() => void) | undefined
}

const retryMs = 3_000
const keepAliveMs = 15_000
/** How long the rights may be unknown, as while GitHub is away, in ms. Nothing is sent meanwhile. */
const unknownRightsMs = 30_000
const recheckWhileUnknownMs = 2_000
/** A client that has more than this unread is cut off, in bytes. */
const mostUnread = 256 * 1024

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/**
 * The seconds after which clients reconnect. They are random, so that not all reconnect at the same time, and few after
 * a restart.
 */
function spreadSeconds(code: AppError['code'] | 'draining'): number {
  const [least, most] = code === 'draining' ? [1, 5] : [5, 60]
  return least + Math.floor(Math.random() * (most - least + 1))
}

/** Sends a stream of server-sent events until one side ends it. Throws if no further stream may be opened. */
export function sendEvents(
  request: Request,
  response: Response,
  stream: EventStream,
  options: SendEventsOptions,
): void {
  const release = options.streams.add(options.caller, () => endWith('draining'))
  let timer: NodeJS.Timeout | undefined
  let held: string[] | undefined
  // The first events may be larger than what a client may have unread later.
  let allowance = Buffer.byteLength(stream.first)
  let unknownSince: number | undefined

  function write(text: string): void {
    if (held) held.push(text)
    else if (!response.writableEnded) response.write(text)
    if (response.writableLength > mostUnread + allowance) request.socket.destroy()
  }

  function endWith(code: AppError['code'] | 'draining'): void {
    if (response.writableEnded) return
    const retryAfter = spreadSeconds(code)
    const bye = formatEvents({ events: [{ event: 'bye', data: { code, retry_after: retryAfter } }] })
    response.end(code === 'draining' ? `retry: ${retryAfter * 1000}\n${bye}` : bye)
  }

  async function recheck(): Promise<void> {
    try {
      const viewer = await options.authorize()
      // The client reconnects, and gets a snapshot of what it may see now.
      if (!(await stream.isCurrent(viewer))) return endWith('unavailable')
      unknownSince = undefined
      for (const text of held?.splice(0) ?? []) response.write(text)
      held = undefined
      again(options.recheckMs)
    } catch (error) {
      const { code } = toAppError(error)
      const isUnknown = code === 'github_unavailable' || code === 'github_rate_limited' || code === 'unavailable'
      unknownSince ??= performance.now()
      if (!isUnknown || performance.now() - unknownSince >= unknownRightsMs)
        return endWith(isUnknown ? 'unavailable' : code)
      held ??= []
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
    clearInterval(keepAlive)
    stream.stop()
    release()
  })
  response.on('drain', () => {
    allowance = 0
  })
  response.status(200).set(streamHeaders)
  response.flushHeaders()
  const keepAlive = setInterval(() => write(': keep-alive\n\n'), keepAliveMs).unref()
  write(`retry: ${retryMs}\n\n${stream.first}`)
  stream.listen(write)
  again(options.recheckMs)
}
