import { githubRateLimited, invalidToken, tooManyRejectedTokens } from './access-errors.ts'
import type { RejectedTokenLimiter } from './rejected-token-limiter.ts'
import type { TokenStates } from './token-states.ts'

export interface TokenGuard {
  /**
   * Throws AppError if no request may be sent with this token: `invalid_token`, `github_rate_limited`, or `rate_limited`
   * if GitHub has rejected too many tokens from every one of the addresses.
   */
  check(tokenKey: string, addresses: Iterable<string>): void
  /** Records that GitHub rejected the token, which came from these addresses. */
  reject(tokenKey: string, addresses: Iterable<string>): void
}

/**
 * Decides with which tokens requests may be sent to GitHub (docs/rules.md#rejected-tokens). `onRejected` runs before any
 * caller gets the error.
 */
export function createTokenGuard(options: {
  tokens: TokenStates
  rejectedTokens: RejectedTokenLimiter
  onRejected: (tokenKey: string) => void
}): TokenGuard {
  const { tokens, rejectedTokens } = options

  return {
    check(tokenKey, addresses) {
      if (tokens.isRejected(tokenKey)) throw invalidToken()
      const limited = tokens.limitedSeconds(tokenKey)
      if (limited !== null) throw githubRateLimited(limited)
      // An accepted token is no guess. Callers who share their address with a guesser keep working.
      if (tokens.isAccepted(tokenKey)) return
      const waits = [...addresses].map((address) => rejectedTokens.retryAfterSeconds(address))
      if (waits.includes(null)) return
      throw tooManyRejectedTokens(Math.min(...waits.filter((wait) => wait !== null)))
    },
    reject(tokenKey, addresses) {
      tokens.reject(tokenKey)
      for (const address of addresses) rejectedTokens.count(address, tokenKey)
      options.onRejected(tokenKey)
    },
  }
}
