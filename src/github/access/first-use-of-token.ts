import { AppError } from '../../errors.ts'
import type { TokenStates } from './token-states.ts'

/**
 * GitHub locks an account out after many refusals (docs/rules.md#permission-cache). So an unknown token makes one
 * request first. If that fails because of the token, the waiting requests of this token fail too, without asking.
 */
export function createFirstUseOfToken(tokens: TokenStates): <T>(tokenKey: string, ask: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<unknown>>()

  return async function introduced(tokenKey, ask) {
    if (tokens.isAccepted(tokenKey)) return await ask()
    const first = underWay.get(tokenKey)
    if (first !== undefined) {
      const failure = await first
      // That one is about the address of whoever asked first, not about the token.
      if (failure !== null && !(failure instanceof AppError && failure.code === 'rate_limited')) throw failure
      return await ask()
    }
    const asked = ask()
    const settled = asked.then(
      () => null,
      (failure: unknown) => failure,
    )
    underWay.set(tokenKey, settled)
    try {
      return await asked
    } finally {
      underWay.delete(tokenKey)
    }
  }
}
