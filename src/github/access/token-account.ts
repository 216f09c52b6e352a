import { z } from 'zod'
import type { WaitForGithub } from '../../context.ts'
import { createCoalescer } from '../../lib/coalesce.ts'
import type { GithubResponse } from '../github-response.ts'
import { canBeToken } from '../names.ts'
import { invalidToken } from './access-errors.ts'
import type { GithubClient } from './caller-client.ts'
import { isRateLimit, retryAfterSeconds, type UpstreamError } from './parse-access-response.ts'
import type { AccessSender } from './send-access-request.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

export interface AccountRequest {
  token: string
  /** The address of the client. */
  clientAddress: string
  requestId: string | undefined
  waitForGithub: WaitForGithub
}

const User = z.object({ login: z.string().min(1).max(100) })

/**
 * Returns a function that asks GitHub for the login of a token's account. It throws AppError: `invalid_token`, also for
 * a token that belongs to no account, `github_rate_limited`, `github_unavailable`, `rate_limited`. Rejected tokens
 * count as in every other request.
 */
export function createTokenAccount(options: {
  client: Pick<GithubClient, 'readUser'>
  guard: TokenGuard
  sender: AccessSender
  tokens: TokenStates
  now: () => number
}): (request: AccountRequest) => Promise<string> {
  const { client, guard, sender, tokens, now } = options
  const lookups = createCoalescer<string, string>()

  return async function loginOf({ token, clientAddress, requestId, waitForGithub }) {
    if (!canBeToken(token)) throw invalidToken()
    const tokenKey = tokens.keyOf(token)
    guard.check(tokenKey, [clientAddress])
    const checked = { token, tokenKey, owner: '', repo: '', address: clientAddress, requestId, waitForGithub }
    const ask = () =>
      lookups.run(
        tokenKey,
        (pending) =>
          sender.send(
            checked,
            pending,
            () => client.readUser(token),
            (response) => {
              const login = readLogin(response, now())
              if (typeof login !== 'string') throw sender.toAppError(checked, pending, login)
              tokens.accept(tokenKey)
              return login
            },
          ),
        clientAddress,
      )
    return await waitForGithub(ask)
  }
}

function readLogin(response: GithubResponse, now: number): string | UpstreamError {
  if (response.kind === 'failure') return { ...response, kind: 'unavailable' }
  const { status, body } = response
  if (status === 401) return { kind: 'rejected' }
  if (isRateLimit(response)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(response, now) }
  // The token of an installation has no account.
  if (status === 403 || status === 404) throw invalidToken()
  const user = User.safeParse(body)
  if (status !== 200 || !user.success) return { kind: 'unavailable', reason: `status ${status} of GET /user` }
  return user.data.login
}
