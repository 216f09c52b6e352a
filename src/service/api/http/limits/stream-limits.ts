import { AppError } from '../../../../core/errors.ts'
import { secondsToRetry } from '../../../../core/lib/retry-after.ts'
import { createTokenHash } from '../../../github/hash-token.ts'
import { createCounts } from '../../../lib/counts.ts'

export interface StreamBounds {
  /** How many streams one instance holds. */
  perInstance: number
  perToken: number
  /** All tokens of one GitHub account together. */
  perAccount: number
}

const perToken = 10
const defaultBounds: StreamBounds = streamBoundsOf({ maxStreams: 1_000, maxWatched: 200 })

/** Each stream may watch another repository. So an account has a quarter of those that an instance watches. */
export function streamBoundsOf({ maxStreams, maxWatched }: { maxStreams: number; maxWatched: number }): StreamBounds {
  return { perInstance: maxStreams, perToken, perAccount: Math.max(perToken, Math.floor(maxWatched / 4)) }
}

export interface StreamCaller {
  token: string
  /** The id of the token's account; undefined where it is not known. */
  accountId: bigint | undefined
}

/** The streams that are open on this instance. */
export interface OpenStreams {
  /** Counts a stream. `end` is called when the service stops. Returns how to end it. Throws `unavailable` and `rate_limited`. */
  add(caller: StreamCaller, end: () => void): () => void
  count(): number
  /** Ends all streams, and refuses further ones. */
  endAll(): void
}

export function createOpenStreams({ perInstance, perToken, perAccount }: StreamBounds = defaultBounds): OpenStreams {
  const hash = createTokenHash()
  const openOf = createCounts<string | bigint>()
  const open = new Set<() => void>()
  let isStopping = false
  return {
    add({ token, accountId }, end) {
      if (isStopping || open.size >= perInstance) {
        throw new AppError('unavailable', 'Too many streams are open here. Try again shortly.', {
          retryAfterSeconds: secondsToRetry('too_many_streams'),
        })
      }
      const key = hash(token)
      if (openOf.of(key) >= perToken) throw tooMany(perToken, 'token')
      if (accountId !== undefined && openOf.of(accountId) >= perAccount) throw tooMany(perAccount, 'account')
      const keys = accountId === undefined ? [key] : [key, accountId]
      for (const one of keys) openOf.add(one)
      open.add(end)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        open.delete(end)
        for (const one of keys) openOf.subtract(one)
      }
    },
    count: () => open.size,
    endAll() {
      isStopping = true
      for (const end of [...open]) end()
    },
  }
}

function tooMany(count: number, owner: 'token' | 'account'): AppError {
  return new AppError('rate_limited', `At most ${count} streams of one ${owner} are open at a time.`, {
    retryAfterSeconds: secondsToRetry('too_many_streams'),
  })
}
