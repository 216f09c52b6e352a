import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Account } from '../../../core/schemas/account.ts'
import { canBeToken } from '../../../core/user-tokens.ts'
import { isWithin } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/coalesce.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import type { GithubResponse } from '../github-response.ts'
import { isRateLimit, retryAfterSeconds } from '../rate-limits.ts'
import { invalidToken } from './access-errors.ts'
import type { AccessSender } from './access-sender.ts'
import type { GithubClient } from './caller-client.ts'
import type { UpstreamError } from './parse-access-response.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

const askAgainMs = 3_600_000
/** When to ask again after a failure, in ms. */
const retryMs = 600_000

export interface AccountRequest {
  token: string
  /** The address of the client. */
  clientAddress: string
  requestId: string | undefined
  waitForGithub: WaitForGithub
}

export interface AccountsOfTokens {
  /**
   * Asks GitHub for the account of an accepted token, once per token and hour (docs/rules.md#author-login). Resolves once
   * the request has ended. GitHub's response does not affect the access of the token.
   */
  loadAccount(token: string): Promise<void>
  /** The account if it is known; null for an installation token and after a failure. Sends no request. */
  accountOf(token: string): Account | null
  /**
   * Asks GitHub for the login of any token's account. Throws AppError: `invalid_token`, also for a token that belongs to no
   * account, `github_rate_limited`, `github_unavailable`, `rate_limited`. A rejected token counts as in every other request.
   */
  loginOf(request: AccountRequest): Promise<string>
}

interface Known {
  account: Account | null
  askedAt: number
  /** When to ask again, in ms after `askedAt`. */
  keptMs: number
}

/** Reads the accounts of tokens. `now` is in ms since 1970. */
export function createAccountsOfTokens(options: {
  client: Pick<GithubClient, 'readUser'>
  guard: TokenGuard
  sender: AccessSender
  tokens: TokenStates
  /** For `loadAccount`. Shared fairly among the tokens. */
  limit: FairLimit
  /** Whether `loadAccount` asks at all. */
  isOn: boolean
  /** How many accounts are kept. */
  entries: number
  now: () => number
}): AccountsOfTokens {
  const { client, guard, sender, tokens, limit, isOn, now } = options
  const known = new LRUCache<string, Known>({ max: options.entries })
  const accountRequests = createCoalescer<void>()
  const loginRequests = createCoalescer<string, string>()

  async function ask(token: string, tokenKey: string): Promise<void> {
    const askedAt = now()
    const response = await limit.run(tokenKey, () => client.readUser(token)).catch(() => null)
    const account = response && accountIn(response)
    // The account of a token never changes, so a failure does not make it unknown.
    const entry = account ?? known.get(tokenKey)?.account ?? null
    known.set(tokenKey, { account: entry, askedAt, keptMs: account ? askAgainMs : retryMs })
  }

  return {
    async loadAccount(token) {
      if (!isOn || isInstallationToken(token)) return
      const tokenKey = tokens.keyOf(token)
      const entry = known.get(tokenKey)
      if (entry && isWithin(entry.askedAt, entry.keptMs, now())) return
      await accountRequests.run(tokenKey, () => ask(token, tokenKey), undefined)
    },
    accountOf: (token) => known.get(tokens.keyOf(token))?.account ?? null,
    async loginOf({ token, clientAddress, requestId, waitForGithub }) {
      if (!canBeToken(token)) throw invalidToken()
      const tokenKey = tokens.keyOf(token)
      guard.check(tokenKey, [clientAddress])
      const checked = { token, tokenKey, owner: '', repo: '', address: clientAddress, requestId, waitForGithub }
      const askForLogin = () =>
        loginRequests.run(
          tokenKey,
          (pending) =>
            sender.send(
              checked,
              pending,
              () => client.readUser(token),
              (response) => {
                const account = accountIn(response)
                if (account === null) throw sender.toAppError(checked, pending, failureIn(response, now()))
                tokens.accept(tokenKey)
                // So that whoever signs in is known from the first request on.
                if (isOn) known.set(tokenKey, { account, askedAt: now(), keptMs: askAgainMs })
                return account.login
              },
            ),
          clientAddress,
        )
      return await waitForGithub(askForLogin)
    },
  }
}

const userSchema = z.object({
  id: z
    .union([z.int(), z.bigint()])
    .transform(BigInt)
    .refine((id) => id > 0n),
  login: z.string().min(1).max(100),
})

/** The account in a response to `GET /user`. */
function accountIn(response: GithubResponse): Account | null {
  if (response.kind === 'failure' || response.status !== 200) return null
  const parsed = userSchema.safeParse(response.body)
  return parsed.success ? parsed.data : null
}

/** What a response without an account says of the token. Throws AppError where the token has none. */
function failureIn(response: GithubResponse, now: number): UpstreamError {
  if (response.kind === 'failure') return { ...response, kind: 'unavailable' }
  const { status } = response
  if (status === 401) return { kind: 'rejected' }
  if (isRateLimit(response)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(response, now) }
  // The token of an installation has no account.
  if (status === 403 || status === 404) throw invalidToken()
  return { kind: 'unavailable', reason: `status ${status} of GET /user` }
}

/** Such a token belongs to an App or a workflow, not to an account. */
function isInstallationToken(token: string): boolean {
  return token.startsWith('ghs_')
}
