import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { getOrCreate } from '../../../core/lib/maps.ts'
import { isWithin } from '../../lib/clock.ts'
import { createFairLimit, type FairLimit } from '../../lib/fair-limit.ts'
import type { RateLimits } from '../rate-limits.ts'
import { githubRateLimited, invalidToken, tooManyRejectedTokens } from './access-errors.ts'
import { clientNetwork } from './client-network.ts'
import type { TokenStates } from './token-states.ts'

const windowMs = 60_000

export interface TokenGuard {
  /**
   * Throws AppError if no request may be sent with this token: `invalid_token` or `github_rate_limited`. With addresses,
   * also `rate_limited` if the token would have to wait for a slot, and too many of every address wait already.
   */
  check(tokenKey: string, addresses?: Iterable<string>): void
  /** Whether GitHub has rejected so many tokens of every one of the addresses that this unknown one waits for a slot. */
  needsSlot(tokenKey: string, addresses: Iterable<string>): boolean
  /** Waits for a slot, if the token needs one. Returns how to give it back. Throws `rate_limited`. */
  takeSlot(tokenKey: string, addresses: Iterable<string>): Promise<(() => void) | null>
  /** Records that GitHub rejected the token, which came from these addresses. */
  reject(tokenKey: string, addresses: Iterable<string>): void
}

export interface TokenGuardOptions {
  tokens: TokenStates
  rateLimits: RateLimits
  /** After so many rejected tokens of a network within a minute, its unknown tokens have one slot. */
  rejectedPerMinute: number
  /** How many networks are remembered. */
  networks: number
  /** A token holds the slot at least for `everyMs`. At most `waiting` wait for it, each at most for `waitMs`. In ms. */
  slot: { everyMs: number; waiting: number; waitMs: number }
  /** Runs before any caller learns of the rejection. */
  onRejected: (tokenKey: string) => void
  /** In ms since 1970. */
  now: () => number
}

/** Decides with which tokens requests may be sent to GitHub, and when (docs/rules.md#rejected-tokens). */
export function createTokenGuard(options: TokenGuardOptions): TokenGuard {
  const { tokens, rateLimits, rejectedPerMinute, now } = options
  const { everyMs, waiting, waitMs } = options.slot
  /** When each token of a network was last rejected, the oldest first. */
  const rejections = new LRUCache<string, Map<string, number>>({ max: options.networks })
  /** The slot of each network in which a token has it. */
  const slots = new Map<string, FairLimit>()

  function recentRejections(network: string): Map<string, number> {
    const recent = rejections.get(network) ?? new Map<string, number>()
    for (const [token, at] of recent) if (!isWithin(at, windowMs, now())) recent.delete(token)
    return recent
  }

  /** After how many seconds unknown tokens of the network need no slot any more; null if they need none. */
  function secondsOfSlots(network: string): number | null {
    // Once this one is a minute old, too few are left.
    const expiring = [...recentRejections(network).values()].at(-rejectedPerMinute)
    return expiring === undefined ? null : Math.max(1, Math.ceil((expiring + windowMs - now()) / 1000))
  }

  const refusal = (network: string) => tooManyRejectedTokens(secondsOfSlots(network) ?? 1)

  function isFull(network: string): boolean {
    const limit = slots.get(network)
    return limit !== undefined && limit.taken() > 0 && limit.waiting() >= waiting
  }

  /** The network with room for one more; the first one if there is none. */
  function chooseNetwork(addresses: Iterable<string>): string {
    const networks = [...addresses].map(clientNetwork)
    return networks.find((network) => !isFull(network)) ?? networks[0] ?? ''
  }

  function needsSlot(tokenKey: string, addresses: Iterable<string>): boolean {
    // An accepted token is no guess. Callers who share their address with a guesser keep working.
    if (tokens.isAccepted(tokenKey)) return false
    return [...addresses].every((address) => secondsOfSlots(clientNetwork(address)) !== null)
  }

  return {
    check(tokenKey, addresses) {
      if (tokens.isRejected(tokenKey)) throw invalidToken()
      const until = rateLimits.pausedUntil(tokenKey)
      if (until !== null) throw githubRateLimited(Math.ceil((until - now()) / 1000))
      if (!addresses || !needsSlot(tokenKey, addresses)) return
      const network = chooseNetwork(addresses)
      if (isFull(network)) throw refusal(network)
    },
    needsSlot,
    async takeSlot(tokenKey, addresses) {
      if (!needsSlot(tokenKey, addresses)) return null
      const network = chooseNetwork(addresses)
      const limit = getOrCreate(slots, network, () =>
        createFairLimit({ slots: 1, waiting, waitMs, refusal: () => refusal(network) }),
      )
      const release = await limit.acquire(network)
      const pause = sleep(everyMs, undefined, { ref: false })
      return () =>
        void pause.then(() => {
          release()
          if (limit.taken() === 0) slots.delete(network)
        })
    },
    reject(tokenKey, addresses) {
      tokens.reject(tokenKey)
      for (const network of new Set([...addresses].map(clientNetwork))) {
        const recent = recentRejections(network)
        // The latest comes last.
        recent.delete(tokenKey)
        rejections.set(network, recent.set(tokenKey, now()))
      }
      options.onRejected(tokenKey)
    },
  }
}
