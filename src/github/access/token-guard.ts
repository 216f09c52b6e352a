import type { PendingRequest } from '../../lib/coalesce.ts'
import { githubRateLimited, invalidToken, tooManyRefusedTokens } from './access-errors.ts'
import type { RejectedTokenLimiter } from './rejected-token-limiter.ts'
import type { TokenStates } from './token-states.ts'

export interface TokenGuard {
  /**
   * Throws AppError where GitHub must not be asked: `invalid_token` or `github_rate_limited` for the token, and
   * `rate_limited` where GitHub has refused too many tokens from every one of the addresses.
   */
  check(tokenKey: string, addresses: Iterable<string>): void
  /** GitHub refused the token, for all who waited for that answer. */
  reject(flight: PendingRequest): void
}

/**
 * Decides which tokens GitHub may be asked with (docs/rules.md#rejected-tokens). `onRefused` runs before any caller
 * gets the refusal.
 */
export function createTokenGuard(options: {
  tokens: TokenStates
  refusals: RejectedTokenLimiter
  onRefused: (tokenKey: string) => void
}): TokenGuard {
  const { tokens, refusals } = options

  return {
    check(tokenKey, addresses) {
      if (tokens.isRefused(tokenKey)) throw invalidToken()
      const limited = tokens.limitedSeconds(tokenKey)
      if (limited !== null) throw githubRateLimited(limited)
      // A token that GitHub has accepted is no guess; whoever shares an address with a guesser keeps working.
      if (tokens.isAccepted(tokenKey)) return
      const waits = [...addresses].map((address) => refusals.retryAfterSeconds(address))
      if (waits.includes(null)) return
      throw tooManyRefusedTokens(Math.min(...waits.filter((wait) => wait !== null)))
    },
    reject({ tokenKey, addresses }) {
      tokens.refuse(tokenKey)
      for (const address of addresses) refusals.count(address, tokenKey)
      options.onRefused(tokenKey)
    },
  }
}
