import type { Request, RequestHandler, Response } from 'express'
import { AppError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import type { Log } from '../../lib/log.ts'
import type { SlowReaders } from '../server/slow-readers.ts'
import { sendError } from './error-handler.ts'
import { createRetryAfter } from './retry-after.ts'

/** Runs the work of a request, or refuses it without having looked at it. */
export type Enqueue = (request: Request, response: Response, work: () => Promise<void>) => Promise<void>

export interface LoadShedding {
  admit: Enqueue
  /** Refuses at the door, for next to nothing, what `admit` would refuse at once. */
  door: RequestHandler
}

export interface LoadSheddingDeps {
  log: Log
  unread: SlowReaders
  /** In milliseconds. */
  now(): number
  /** Told of every request that is refused; most of them stand in no line of the log. */
  onRefused?: () => void
}

export interface LoadLimits {
  /** So many requests are served at once. */
  atOnce: number
  /** So many more wait for their turn; whoever comes then is refused at once. */
  waiting: number
  /** How long one waits at most, in milliseconds. */
  waitMs: number
  /** For how long a body may keep others waiting while it arrives, in milliseconds. */
  slowBodyMs: number
}

/**
 * The requests of the API, and of MCP: some 100 ms of work for one core. Many may wait, for each costs little, and a client
 * that asks again at once is so kept from asking more often than twice a second.
 */
export const requestLimits: LoadLimits = { atOnce: 128, waiting: 1_024, waitMs: 500, slowBodyMs: 2_000 }

/** Each may hold 25 MB. GitHub gives a delivery 10 s, and does not come again by itself: so they wait longer. */
export const deliveryLimits: LoadLimits = { atOnce: 8, waiting: 200, waitMs: 5_000, slowBodyMs: 2_000 }

interface Served {
  request: Request
  since: number
}

/**
 * Serves so many requests at once and refuses those too many with 503 `unavailable`, before their token or their body is
 * looked at. Who holds a place only to send a body slowly loses it to others.
 */
export function createLoadShedding(
  bounds: LoadLimits,
  { log, unread, now, onRefused }: LoadSheddingDeps,
): LoadShedding {
  const served = new Set<Served>()
  const pace = createRetryAfter(now)
  const tooLong = () => tooBusy(pace.secondsUntilServed())
  const gate = createConcurrencyLimit({ ...bounds, tooLong })
  let inside = 0

  function makeRoom(): void {
    const limit = now() - bounds.slowBodyMs
    for (const { request, since } of served) {
      if (since > limit) return
      if (isArriving(request)) return void request.socket.destroy()
    }
  }

  async function serve(request: Request, response: Response, work: () => Promise<void>): Promise<void> {
    // Whoever left while waiting is not worked for.
    if (response.closed) return
    const place = { request, since: now() }
    served.add(place)
    try {
      await work()
      unread.watch(response)
    } finally {
      served.delete(place)
      pace.served()
    }
  }

  function refuse(response: Response, error: AppError): void {
    // One line of the log says it for all of a second: this has to stay cheap.
    const refused = pace.refused()
    onRefused?.()
    if (refused > 0) log.warn({ refused }, 'too busy: requests were refused')
    sendError(response, error)
  }

  async function admit(request: Request, response: Response, work: () => Promise<void>): Promise<void> {
    if (served.size >= bounds.atOnce) makeRoom()
    let hasBegun = false
    inside++
    try {
      await gate.run(() => {
        hasBegun = true
        return serve(request, response, work)
      })
    } catch (error) {
      if (hasBegun || !(error instanceof AppError)) throw error
      refuse(response, error)
    } finally {
      inside--
    }
  }

  const door: RequestHandler = (_request, response, next) => {
    if (inside < bounds.atOnce + bounds.waiting) return next()
    makeRoom()
    refuse(response, tooLong())
  }
  return { admit, door }
}

/** Whether it is being read, and not all of it has come. */
function isArriving(request: Request): boolean {
  return request.readableFlowing === true && !request.complete
}

function tooBusy(retryAfterSeconds: number): AppError {
  return new AppError('unavailable', 'The service is too busy. Try again shortly.', { retryAfterSeconds })
}
