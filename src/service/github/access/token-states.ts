import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import { createTokenHash } from '../hash-token.ts'

const rejectedMs = 60_000

/** All times are in ms since 1970. */
interface State {
  accepted: boolean
  rejectedAt: number
}

const never = Number.NEGATIVE_INFINITY
const unknown: State = { accepted: false, rejectedAt: never }

export interface TokenStates {
  /** A hash that stands for the token in all caches. It is keyed with a secret of this process. */
  keyOf(token: string): string
  /** Whether GitHub rejected the token within the last minute, for any repository (docs/rules.md#permission-cache). */
  isRejected(tokenKey: string): boolean
  /** Whether GitHub has accepted the token, and not rejected it since. */
  isAccepted(tokenKey: string): boolean
  accept(tokenKey: string): void
  reject(tokenKey: string): void
}

/** Caches what is known of a token for all repositories, for at most `tokens` tokens. `now` is in ms since 1970. */
export function createTokenStates(options: { tokens: number; now: () => number }): TokenStates {
  const states = new LRUCache<string, State>({ max: options.tokens })

  const stateOf = (tokenKey: string): State => states.get(tokenKey) ?? unknown

  const isRejected = (tokenKey: string): boolean => isWithin(stateOf(tokenKey).rejectedAt, rejectedMs, options.now())

  return {
    keyOf: createTokenHash(),
    isRejected,
    isAccepted: (tokenKey) => stateOf(tokenKey).accepted,
    accept(tokenKey) {
      // A response to a request from before the rejection does not undo it.
      if (!isRejected(tokenKey)) states.set(tokenKey, { accepted: true, rejectedAt: never })
    },
    reject: (tokenKey) => void states.set(tokenKey, { accepted: false, rejectedAt: options.now() }),
  }
}
