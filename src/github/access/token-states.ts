import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import { createTokenHash } from '../hash-token.ts'

const rejectedMs = 60_000

/** All times are in ms since 1970. */
interface State {
  accepted: boolean
  rejectedAt: number
  limitedAt: number
  limitedUntil: number
}

const never = Number.NEGATIVE_INFINITY
const unknown: State = { accepted: false, rejectedAt: never, limitedAt: never, limitedUntil: never }

export interface TokenStates {
  /** A hash that stands for the token in all caches. It is keyed with a secret of this process. */
  keyOf(token: string): string
  /** Whether GitHub rejected the token within the last minute, for any repository (docs/rules.md#permission-cache). */
  isRejected(tokenKey: string): boolean
  /** Whether GitHub has accepted the token, and not rejected it since. */
  isAccepted(tokenKey: string): boolean
  /** For how many more seconds GitHub wants no request with the token; null if it may be used. */
  limitedSeconds(tokenKey: string): number | null
  accept(tokenKey: string): void
  reject(tokenKey: string): void
  limit(tokenKey: string, seconds: number): void
}

/** Caches what is known of a token for all repositories, for at most `tokens` tokens. `now` is in ms since 1970. */
export function createTokenStates(options: { tokens: number; now: () => number }): TokenStates {
  const states = new LRUCache<string, State>({ max: options.tokens })

  const stateOf = (tokenKey: string): State => states.get(tokenKey) ?? unknown

  const isRejected = (tokenKey: string): boolean => isWithin(stateOf(tokenKey).rejectedAt, rejectedMs, options.now())

  // A clock that is set back ends the limit, as it does in `isWithin`.
  function limitedMs(tokenKey: string): number {
    const { limitedAt, limitedUntil } = stateOf(tokenKey)
    const now = options.now()
    return now < limitedAt ? 0 : Math.max(0, limitedUntil - now)
  }

  return {
    keyOf: createTokenHash(),
    isRejected,
    isAccepted: (tokenKey) => stateOf(tokenKey).accepted,
    limitedSeconds(tokenKey) {
      const ms = limitedMs(tokenKey)
      return ms > 0 ? Math.ceil(ms / 1000) : null
    },
    accept(tokenKey) {
      // A response to a request from before the rejection does not undo it.
      if (!isRejected(tokenKey)) states.set(tokenKey, { ...stateOf(tokenKey), accepted: true, rejectedAt: never })
    },
    reject: (tokenKey) => void states.set(tokenKey, { ...unknown, rejectedAt: options.now() }),
    limit(tokenKey, seconds) {
      const limitedAt = options.now()
      const limitedUntil = limitedAt + Math.max(limitedMs(tokenKey), seconds * 1000)
      states.set(tokenKey, { ...stateOf(tokenKey), limitedAt, limitedUntil })
    },
  }
}
