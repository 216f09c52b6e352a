import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'

const refusedMs = 60_000

interface State {
  accepted: boolean
  /** In ms since 1970, like the others. */
  refusedAt: number
  limitedAt: number
  limitedUntil: number
}

const never = Number.NEGATIVE_INFINITY
const unknown: State = { accepted: false, refusedAt: never, limitedAt: never, limitedUntil: never }

export interface TokenStates {
  /** Under which name a token is remembered: a hash keyed with a secret of this process. The token itself is kept nowhere. */
  keyOf(token: string): string
  /** Whether GitHub refused it within the last minute, for any repository (docs/rules.md#permission-cache). */
  isRefused(tokenKey: string): boolean
  /** GitHub has answered it, and not refused it since. */
  isAccepted(tokenKey: string): boolean
  /** Null, or how many seconds GitHub wants to hear nothing from it. */
  limitedSeconds(tokenKey: string): number | null
  accept(tokenKey: string): void
  refuse(tokenKey: string): void
  limit(tokenKey: string, seconds: number): void
}

/** What is known of a token whatever the repository. At most `tokens` are remembered; `now` in ms since 1970. */
export function createTokenStates(options: { tokens: number; now: () => number }): TokenStates {
  const secret = randomBytes(32)
  const states = new LRUCache<string, State>({ max: options.tokens })

  const stateOf = (tokenKey: string): State => states.get(tokenKey) ?? unknown

  const isRefused = (tokenKey: string): boolean => isWithin(stateOf(tokenKey).refusedAt, refusedMs, options.now())

  // As with what is young: a clock that was set back prolongs no limit.
  function limitedMs(tokenKey: string): number {
    const { limitedAt, limitedUntil } = stateOf(tokenKey)
    const now = options.now()
    return now < limitedAt ? 0 : Math.max(0, limitedUntil - now)
  }

  return {
    keyOf: (token) => createHmac('sha256', secret).update(token).digest('base64url'),
    isRefused,
    isAccepted: (tokenKey) => stateOf(tokenKey).accepted,
    limitedSeconds(tokenKey) {
      const ms = limitedMs(tokenKey)
      return ms > 0 ? Math.ceil(ms / 1000) : null
    },
    accept(tokenKey) {
      // The answer to a question of before the refusal does not undo it.
      if (!isRefused(tokenKey)) states.set(tokenKey, { ...stateOf(tokenKey), accepted: true, refusedAt: never })
    },
    refuse: (tokenKey) => void states.set(tokenKey, { ...unknown, refusedAt: options.now() }),
    limit(tokenKey, seconds) {
      const limitedAt = options.now()
      const limitedUntil = limitedAt + Math.max(limitedMs(tokenKey), seconds * 1000)
      states.set(tokenKey, { ...stateOf(tokenKey), limitedAt, limitedUntil })
    },
  }
}
