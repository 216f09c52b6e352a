import type { Flight } from '../../lib/coalesce.ts'
import { githubRateLimited, invalidToken, tooManyRefusedTokens } from './access-errors.ts'
import type { Refusals } from './rejected-token-limiter.ts'
import type { TokenStates } from './token-states.ts'

export interface Admission {
  /**
   * Throws AppError where GitHub must not be asked: `invalid_token` or `github_rate_limited` for the token, and
   * `rate_limited` where GitHub has refused too many tokens from every one of the addresses.
   */
  admit(tokenKey: string, addresses: Iterable<string>): void
  /** GitHub refused the token, for all who waited for that answer. */
  refuse(flight: Flight): void
}

/** Which tokens GitHub may be asked with (decisions §7). `onRefused` is told before anybody hears of the refusal. */
export function createAdmission(options: {
  tokens: TokenStates
  refusals: Refusals
  onRefused: (tokenKey: string) => void
}): Admission {
  const { tokens, refusals } = options

  return {
    admit(tokenKey, addresses) {
      if (tokens.isRefused(tokenKey)) throw invalidToken()
      const limited = tokens.limitedSeconds(tokenKey)
      if (limited !== null) throw githubRateLimited(limited)
      // A token that GitHub has accepted is no guess; whoever shares an address with a guesser keeps working.
      if (tokens.isAccepted(tokenKey)) return
      const waits = [...addresses].map((address) => refusals.retryAfterSeconds(address))
      if (waits.includes(null)) return
      throw tooManyRefusedTokens(Math.min(...waits.filter((wait) => wait !== null)))
    },
    refuse({ tokenKey, addresses }) {
      tokens.refuse(tokenKey)
      for (const address of addresses) refusals.count(address, tokenKey)
      options.onRefused(tokenKey)
    },
  }
}
