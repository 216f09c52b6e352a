import type { Request, RequestHandler, Response } from 'express'
import { type ClientRateLimitInfo, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../../core/errors.ts'
import { createTokenHash } from '../../../github/hash-token.ts'
import { readBearer } from '../middleware/bearer-token.ts'

const windowSeconds = 60
const windowMs = windowSeconds * 1_000

/** How many tokens are counted. Beyond it, the count of the least recently used token is lost. */
const maxTokens = 10_000

/**
 * Refuses the requests of a token beyond `perMinute` with 429 `rate_limited` (docs/rules.md#rate-limit). Requests without a
 * token are not counted: they are 401. `now` in milliseconds.
 */
export function limitRequests({ perMinute, now }: { perMinute: number; now: () => number }): RequestHandler[] {
  const hash = createTokenHash()

  /** Sets the fields of draft-ietf-httpapi-ratelimit-headers, and returns the seconds until the window ends. */
  function setHeaders({ rateLimit: info }: Request & { rateLimit?: RateLimitInfo }, response: Response): number {
    const seconds = Math.ceil(((info?.resetTime?.getTime() ?? 0) - now()) / 1_000)
    response.setHeader('RateLimit-Policy', `"default";q=${perMinute};w=${windowSeconds}`)
    response.setHeader('RateLimit', `"default";r=${info?.remaining};t=${seconds}`)
    return seconds
  }

  const isCounted = (request: Request) => readBearer(request.headers.authorization) !== null
  const limiter = rateLimit({
    limit: perMinute,
    windowMs,
    store: createStore(now),
    // The library's own headers would add a hash of the token.
    standardHeaders: false,
    legacyHeaders: false,
    skip: (request) => !isCounted(request),
    keyGenerator: (request) => hash(readBearer(request.headers.authorization) ?? ''),
    handler(request, response) {
      const retryAfterSeconds = setHeaders(request, response)
      throw new AppError('rate_limited', `This token may make ${perMinute} requests a minute.`, { retryAfterSeconds })
    },
  })
  const headers: RequestHandler = (request, response, next) => {
    if (isCounted(request)) setHeaders(request, response)
    next()
  }
  return [limiter, headers]
}

/**
 * Counts the requests of each token in a window that begins with its first request. The library's `MemoryStore` is unbounded,
 * and it returns one object to all requests of a token: of requests in one packet, the first would see the count of the last.
 */
function createStore(now: () => number): Store {
  const windows = new LRUCache<string, ClientRateLimitInfo & { resetTime: Date }>({ max: maxTokens })
  return {
    increment(key) {
      const { totalHits, resetTime } = windows.get(key) ?? { totalHits: 0, resetTime: new Date(0) }
      const leftMs = resetTime.getTime() - now()
      // More than a window is left if the clock was set back.
      const isOpen = leftMs > 0 && leftMs <= windowMs
      const info = isOpen
        ? { totalHits: totalHits + 1, resetTime }
        : { totalHits: 1, resetTime: new Date(now() + windowMs) }
      windows.set(key, info)
      return info
    },
    decrement() {},
    resetKey: (key) => void windows.delete(key),
  }
}
