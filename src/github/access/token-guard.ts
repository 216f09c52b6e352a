import { githubRateLimited, invalidToken, tooManyRejectedTokens } from './access-errors.ts'
import { clientNetwork, type RejectedTokenLimiter } from './rejected-token-limiter.ts'
import type { TokenStates } from './token-states.ts'
import type { UnknownTokenQueue } from './unknown-token-queue.ts'

export interface TokenGuard {
  /**
   * Throws AppError if no request may be sent with this token: `invalid_token` or `github_rate_limited`. With addresses,
   * also `rate_limited` if the token would have to wait for a turn, and no address has room for one more.
   */
  check(tokenKey: string, addresses?: Iterable<string>): void
  /** Whether GitHub has rejected so many tokens of every one of the addresses that this unknown one waits for a turn. */
  needsTurn(tokenKey: string, addresses: Iterable<string>): boolean
  /** Waits for a turn, if the token needs one. Returns how to give it back. Throws `rate_limited`. */
  turn(tokenKey: string, addresses: Iterable<string>): Promise<(() => void) | null>
  /** Records that GitHub rejected the token, which came from these addresses. */
  reject(tokenKey: string, addresses: Iterable<string>): void
}

/**
 * Decides with which tokens requests may be sent to GitHub, and when (docs/rules.md#rejected-tokens). `onRejected` runs
 * before any caller gets the error.
 */
export function createTokenGuard(options: {
  tokens: TokenStates
  rejectedTokens: RejectedTokenLimiter
  queue: UnknownTokenQueue
  onRejected: (tokenKey: string) => void
}): TokenGuard {
  const { tokens, rejectedTokens, queue } = options

  function needsTurn(tokenKey: string, addresses: Iterable<string>): boolean {
    // An accepted token is no guess. Callers who share their address with a guesser keep working.
    if (tokens.isAccepted(tokenKey)) return false
    return [...addresses].every((address) => rejectedTokens.retryAfterSeconds(address) !== null)
  }

  /** The address with room for one more; the first one if there is none. */
  function chooseAddress(addresses: Iterable<string>): string {
    const all = [...addresses]
    const free = all.find((address) => !queue.isFull(clientNetwork(address)))
    return free ?? all[0] ?? ''
  }

  return {
    check(tokenKey, addresses) {
      if (tokens.isRejected(tokenKey)) throw invalidToken()
      const limited = tokens.limitedSeconds(tokenKey)
      if (limited !== null) throw githubRateLimited(limited)
      if (!addresses || !needsTurn(tokenKey, addresses)) return
      const address = chooseAddress(addresses)
      if (!queue.isFull(clientNetwork(address))) return
      throw tooManyRejectedTokens(rejectedTokens.retryAfterSeconds(address) ?? 1)
    },
    needsTurn,
    async turn(tokenKey, addresses) {
      if (!needsTurn(tokenKey, addresses)) return null
      return await queue.turn(clientNetwork(chooseAddress(addresses)))
    },
    reject(tokenKey, addresses) {
      tokens.reject(tokenKey)
      for (const address of addresses) rejectedTokens.count(address, tokenKey)
      options.onRejected(tokenKey)
    },
  }
}
