import { AppError } from '../../errors.ts'
import { createTokenHash } from '../../github/hash-token.ts'
import { createCounts } from '../../lib/counts.ts'

export interface StreamBounds {
  /** How many streams one instance holds. */
  perInstance: number
  perToken: number
}

export const streamBounds: StreamBounds = { perInstance: 1_000, perToken: 10 }

/** The streams that are open on this instance. */
export interface OpenStreams {
  /** Counts a stream. `end` is called when the service stops. Returns how to give the place back. Throws `unavailable` and `rate_limited`. */
  add(token: string, end: () => void): () => void
  count(): number
  /** Ends all streams, and refuses further ones. */
  endAll(): void
}

export function createOpenStreams({ perInstance, perToken }: StreamBounds = streamBounds): OpenStreams {
  const hash = createTokenHash()
  const ofToken = createCounts<string>()
  const open = new Set<() => void>()
  let isStopping = false
  return {
    add(token, end) {
      if (isStopping || open.size >= perInstance) {
        throw new AppError('unavailable', 'Too many streams are open here. Try again shortly.', {
          retryAfterSeconds: 30,
        })
      }
      const key = hash(token)
      if (ofToken.of(key) >= perToken) {
        throw new AppError('rate_limited', `At most ${perToken} streams of one token are open at a time.`, {
          retryAfterSeconds: 60,
        })
      }
      ofToken.add(key)
      open.add(end)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        open.delete(end)
        ofToken.subtract(key)
      }
    },
    count: () => open.size,
    endAll() {
      isStopping = true
      for (const end of [...open]) end()
    },
  }
}
