import { createFairLimit, type FairLimit } from '../../lib/fair-limit.ts'
import type { AccountsOfTokens } from '../access/account-of-token.ts'
import type { GithubRequest } from '../github-request.ts'
import type { GithubResponse } from '../github-response.ts'
import type { SendRequest } from '../pulls/read-response.ts'
import { isRateLimit, type RateLimits } from '../rate-limits.ts'
import type { CallBudget } from './call-budget-store.ts'
import { ReadingCut } from './reading-cut.ts'

export interface BoundedSenderDeps {
  send(request: GithubRequest): Promise<GithubResponse>
  /** Of each token, by its key. What GitHub answers to readings does not affect the access of the token. */
  rateLimits: Pick<RateLimits, 'note' | 'remaining'>
  accounts: Pick<AccountsOfTokens, 'loadAccount' | 'accountOf'>
  keyOf(token: string): string
  budget: CallBudget
  /** The limit of all readings, shared fairly among the repositories. */
  limit: FairLimit
}

/** How many calls one reading makes at the same time. */
const atOnce = 4
/** How long a call may wait for a slot, in ms. The token may be used for a shorter time. */
const waitMs = 30_000

/** The limit of concurrent calls for all readings of an instance. */
export function createReadingLimit(): FairLimit {
  return createFairLimit({ slots: 8, waiting: 1_000, waitMs, refusal: () => new ReadingCut('time') })
}

interface ReadingToken {
  token: string
  repositoryId: bigint
  /** Aborts when the token may not be used any longer. */
  signal: AbortSignal
}

/**
 * Returns the functions that send the requests of one reading. `sendCounted` counts them against the hour of the
 * account, and throws `ReadingCut` where none is left. Both take at most half of what is left of the token's rate
 * limit.
 */
export async function boundedSender(
  { send: sendRequest, rateLimits, accounts, keyOf, budget, limit }: BoundedSenderDeps,
  { token, repositoryId, signal }: ReadingToken,
): Promise<{ sendCounted: SendRequest; sendUncounted: SendRequest }> {
  // The calls are those of the account, so it has to be known.
  await accounts.loadAccount(token)
  const account = accounts.accountOf(token)
  const key = keyOf(token)
  const remaining = () => rateLimits.remaining(key)
  const takeOne = () => budget.takeCall(account, key)
  const own = createFairLimit({ slots: atOnce, waiting: 1_000, waitMs, refusal: () => new ReadingCut('time') })
  let sent = 0
  /** At first from the last response, however old it is: until the limit resets, what is left only decreases. */
  let quota = quotaOf(remaining())
  let isQuotaKnown = false
  /** Until the first response has said how much is left, calls are sent one at a time. */
  let firstCall: Promise<void> | undefined

  /** Waits for a slot of this reading, and then for one of all. */
  async function inSlots<Result>(work: () => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new ReadingCut('time')
    return await own
      .run('', () => limit.run(repositoryId, work, { signal }), { signal })
      .catch((error: unknown) => {
        throw signal.aborted ? new ReadingCut('time') : error
      })
  }

  /** The token may be used elsewhere meanwhile, so GitHub's newest figure counts beside the calls of this reading. */
  function isQuotaSpent(): boolean {
    if (quota === null) return false
    return sent >= quota.calls || (remaining() ?? quota.keeps + 1) <= quota.keeps
  }

  async function call(request: Parameters<SendRequest>[0], mayCall: () => Promise<boolean>): Promise<GithubResponse> {
    if (isQuotaSpent()) throw new ReadingCut('calls')
    // Before the first `await`, so that concurrent calls do not count as one.
    sent++
    if (!(await mayCall())) throw new ReadingCut('calls')
    const response = await sendRequest({ ...request, token, signal })
    rateLimits.note(key, response)
    if (signal.aborted) throw new ReadingCut('time')
    if (response.kind === 'failure') return response
    if (response.status === 401) throw new ReadingCut('refused')
    if (isRateLimit(response)) throw new ReadingCut('calls')
    if (!isQuotaKnown) quota = quotaOf(withThisCall(remaining()))
    isQuotaKnown = true
    return response
  }

  async function send(request: Parameters<SendRequest>[0], mayCall: () => Promise<boolean>): Promise<GithubResponse> {
    while (firstCall) await firstCall
    const response = inSlots(() => call(request, mayCall))
    if (!isQuotaKnown) {
      const ended = () => {
        firstCall = undefined
      }
      firstCall = response.then(ended, ended)
    }
    return await response
  }

  return {
    sendCounted: (request) => send(request, takeOne),
    sendUncounted: (request) => send(request, async () => true),
  }
}

function withThisCall(remaining: number | null): number | null {
  return remaining === null ? null : remaining + 1
}

/** How many calls the reading may make, and how many it leaves; null if no limit is known. */
function quotaOf(remaining: number | null): { calls: number; keeps: number } | null {
  if (remaining === null) return null
  const calls = Math.floor(remaining / 2)
  return { calls, keeps: remaining - calls }
}
