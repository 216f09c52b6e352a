import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors.ts'
import { isWithin } from '../../lib/clock.ts'
import { readBearer } from '../middleware/bearer-token.ts'
import { createTokenHash } from './hash-token.ts'

/** In seconds; the limit is so many requests in each. */
const windowSeconds = 60

/** So many callers are remembered; those not heard of for longest are forgotten, and begin anew. */
const remembered = 10_000

interface Window {
  /** In ms. */
  startedAt: number
  used: number
}

/**
 * Refuses a caller's requests beyond so many a minute with 429 `rate_limited`, and says on every answer how many are left,
 * in the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers. A caller is a token: who it belongs to is not known
 * before GitHub is asked. A minute begins with a caller's first request; a refused one is not counted. `now` in ms.
 */
export function rateLimit({ perMinute, now }: { perMinute: number; now: () => number }): RequestHandler {
  const hash = createTokenHash()
  const windows = new LRUCache<string, Window>({ max: remembered })

  /** The minute that the caller is in. */
  function windowOf(token: string): Window {
    const key = hash(token)
    const found = windows.get(key)
    const at = now()
    if (found && isWithin(found.startedAt, windowSeconds * 1_000, at)) return found
    const begun = { startedAt: at, used: 0 }
    windows.set(key, begun)
    return begun
  }

  return (request, response, next) => {
    const token = readBearer(request.headers.authorization)
    // Without one the answer is 401, which costs next to nothing.
    if (token === null) return next()
    const window = windowOf(token)
    const isOver = window.used >= perMinute
    if (!isOver) window.used++
    const reset = Math.ceil((window.startedAt - now()) / 1_000) + windowSeconds
    response.setHeader('RateLimit-Policy', `"default";q=${perMinute};w=${windowSeconds}`)
    response.setHeader('RateLimit', `"default";r=${perMinute - window.used};t=${reset}`)
    if (isOver) throw tooMany(perMinute, reset)
    next()
  }
}

function tooMany(perMinute: number, retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', `This token may make ${perMinute} requests a minute.`, { retryAfterSeconds })
}
