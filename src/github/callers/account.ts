import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Account } from '../../context.ts'
import { isWithin } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/coalesce.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { GithubResponse } from '../github-response.ts'

const askAgainMs = 3_600_000
/** When to ask again after a failure, in ms. */
const retryMs = 600_000

const userSchema = z.object({
  id: z
    .union([z.int(), z.bigint()])
    .transform(BigInt)
    .refine((id) => id > 0n),
  login: z.string().min(1).max(100),
})

export interface CallerAccounts {
  /**
   * Asks GitHub for the account of the token, unless it is known or a request is pending. Resolves once the request has
   * ended.
   */
  learn(token: string): Promise<void>
  /** The account if it is known; null for an installation token and after a failure. Sends no request. */
  accountOf(token: string): Account | null
}

interface Known {
  account: Account | null
  askedAt: number
  /** When to ask again, in ms after `askedAt`. */
  keptMs: number
}

/**
 * Caches the accounts of tokens (docs/rules.md#author-login). Asks once per token and hour. GitHub's answer does not
 * affect the access of the token. `now` is in ms since 1970.
 */
export function createCallerAccounts(options: {
  /** `GET /user`. Never throws. */
  readUser: (token: string) => Promise<GithubResponse>
  keyOf: (token: string) => string
  limit: FairLimit
  /** Whether accounts are asked at all. */
  isOn: boolean
  tokens: number
  now: () => number
}): CallerAccounts {
  const { readUser, keyOf, limit, isOn, now } = options
  const known = new LRUCache<string, Known>({ max: options.tokens })
  const lookups = createCoalescer<void>()

  async function ask(token: string, key: string): Promise<void> {
    const askedAt = now()
    const response = await limit.run(key, () => readUser(token)).catch(() => null)
    const account = response && accountIn(response)
    // The account of a token never changes, so a failure does not make it unknown.
    const entry = account ?? known.get(key)?.account ?? null
    known.set(key, { account: entry, askedAt, keptMs: account ? askAgainMs : retryMs })
  }

  return {
    async learn(token) {
      if (!isOn || isInstallationToken(token)) return
      const key = keyOf(token)
      const entry = known.get(key)
      if (entry && isWithin(entry.askedAt, entry.keptMs, now())) return
      await lookups.run(key, () => ask(token, key), undefined)
    },
    accountOf: (token) => known.get(keyOf(token))?.account ?? null,
  }
}

function accountIn(response: GithubResponse): Account | null {
  if (response.kind === 'failure' || response.status !== 200) return null
  const parsed = userSchema.safeParse(response.body)
  return parsed.success ? parsed.data : null
}

/** Such a token belongs to an App or a workflow, not to an account. */
function isInstallationToken(token: string): boolean {
  return token.startsWith('ghs_')
}
