import { AppError } from '../../../core/errors.ts'
import type { TokenStates } from './token-states.ts'

/** Sends a request for the token, or rejects with the failure of the first one. */
export type SendAfterFirst = <T>(tokenKey: string, send: () => Promise<T>) => Promise<T>

/**
 * GitHub locks an account out after many rejections (docs/rules.md#permission-cache). So an unknown token makes one
 * request first. If that request fails because of the token, the waiting requests of this token fail too, unsent.
 */
export function createFirstUseOfToken(tokens: TokenStates): SendAfterFirst {
  /** The failure of each token's first request, or null once it succeeded. */
  const pending = new Map<string, Promise<unknown>>()

  return async function sendAfterFirst(tokenKey, send) {
    if (tokens.isAccepted(tokenKey)) return await send()
    const first = pending.get(tokenKey)
    if (first !== undefined) {
      const failure = await first
      // `rate_limited` is about the address of the first caller, not about the token.
      if (failure !== null && !(failure instanceof AppError && failure.code === 'rate_limited')) throw failure
      return await send()
    }
    const result = send()
    const failure = result.then(
      () => null,
      (error: unknown) => error,
    )
    pending.set(tokenKey, failure)
    try {
      return await result
    } finally {
      pending.delete(tokenKey)
    }
  }
}
