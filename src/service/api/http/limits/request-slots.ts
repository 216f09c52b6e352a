import type { Request } from 'express'
import { AppError } from '../../../../core/errors.ts'
import { createFairLimit, type LimitKey, type Release, type WaitOptions } from '../../../lib/fair-limit.ts'
import type { Log } from '../../../lib/log.ts'

export interface SlotBounds {
  /** How many requests are served concurrently. */
  atOnce: number
  /** How many more wait for a slot. */
  waiting: number
  /** How long a request waits for a slot, in milliseconds. */
  waitMs: number
  /** The same, but for a request that has waited for GitHub, and while another repository holds half of the slots. */
  longWaitMs: number
  /** How long a body may arrive while other requests wait, in milliseconds. */
  slowBodyMs: number
}

/** GitHub gives a delivery 10 s and does not retry, so deliveries wait longer. Each may hold 25 MB, so few run concurrently. */
export const deliveryBounds: SlotBounds = {
  atOnce: 8,
  waiting: 200,
  waitMs: 5_000,
  longWaitMs: 5_000,
  slowBodyMs: 2_000,
}

export interface SlotDeps {
  log: Log
  /** In milliseconds. */
  now(): number
  /** Called for every request that is refused. */
  onRefused?: () => void
}

export interface RequestSlots {
  /** Takes a slot that is free now. */
  tryAcquire(key: LimitKey, request: Request): Release | undefined
  /** Waits for a slot from the share of `key`. Throws `unavailable` if none gets free in time. */
  acquire(key: LimitKey, request: Request, options?: WaitOptions): Promise<Release>
  /** Counts and logs a refusal for load, and makes its error: `unavailable` with `Retry-After`. */
  refusal(): AppError
}

/**
 * Bounds how many requests are served concurrently. If a request waits for a slot, one whose body arrives too slowly is cut
 * off and loses its slot.
 */
export function createRequestSlots(bounds: SlotBounds, { log, now, onRefused }: SlotDeps): RequestSlots {
  const served = new Map<Request, { since: number }>()
  let unlogged = 0
  let loggedSecond = -1
  const limit = createFairLimit({
    slots: bounds.atOnce,
    waiting: bounds.waiting,
    waitMs: bounds.waitMs,
    waitBehindOtherMs: bounds.longWaitMs,
    refusal,
  })

  function refusal(): AppError {
    onRefused?.()
    unlogged++
    logRefusals()
    return new AppError('unavailable', 'The service is too busy. Try again shortly.', {
      isLogged: true,
    })
  }

  /** Logs at most one line a second, so that a refusal stays cheap. */
  function logRefusals(): void {
    const second = Math.floor(now() / 1_000)
    if (second === loggedSecond) return
    log.warn({ refused: unlogged }, 'too busy: requests were refused')
    loggedSecond = second
    unlogged = 0
  }

  function cutOffSlowBody(): void {
    const cutoff = now() - bounds.slowBodyMs
    for (const [request, { since }] of served) {
      if (since > cutoff) return
      if (isArriving(request)) return void request.socket.destroy()
    }
  }

  function serve(request: Request, release: Release): Release {
    served.set(request, { since: now() })
    return () => {
      served.delete(request)
      release()
    }
  }

  return {
    tryAcquire(key, request) {
      const release = limit.tryAcquire(key)
      return release && serve(request, release)
    },
    async acquire(key, request, options) {
      if (limit.taken() >= bounds.atOnce) cutOffSlowBody()
      return serve(request, await limit.acquire(key, options))
    },
    refusal,
  }
}

/** Whether the body is being read and part of it is still to come. */
function isArriving(request: Request): boolean {
  return request.readableFlowing === true && !request.complete
}
