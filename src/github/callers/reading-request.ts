import type { Database } from '../../db/database.ts'
import { createFairLimit, type FairLimit } from '../../lib/fair-limit.ts'
import { isRateLimit } from '../access/parse-access-response.ts'
import type { GithubResponse } from '../github-response.ts'
import type { PullsRequest } from '../pulls/pulls-request.ts'
import type { CallerAccounts } from './account.ts'
import { takeCall } from './call-budget.sql.ts'
import type { CallerRequests } from './caller-requests.ts'
import { ReadingCut } from './reading-cut.ts'
import type { TakeTokenCall } from './token-calls.ts'

export interface ReadingRequestDeps {
  db: Database
  requests: CallerRequests
  accounts: CallerAccounts
  keyOf(token: string): string
  takeTokenCall: TakeTokenCall
  /** The limit of all readings, shared fairly among the repositories. */
  limit: FairLimit
  now(): Date
}

/** How many calls one reading makes at the same time. */
const atOnce = 4
/** How long a call may wait for its turn, in ms. The token may be used for a shorter time. */
const waitMs = 30_000

/** The limit of concurrent calls for all readings of an instance. */
export function createReadingLimit(): FairLimit {
  return createFairLimit({ places: 8, waiters: 1_000, waitMs, refusal: () => new ReadingCut('time') })
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
export async function readingRequest(
  { db, requests, accounts, keyOf, takeTokenCall, limit, now }: ReadingRequestDeps,
  { token, repositoryId, signal }: ReadingToken,
): Promise<{ sendCounted: PullsRequest; sendUncounted: PullsRequest }> {
  // The calls are those of the account, so it has to be known.
  await accounts.learn(token)
  const account = accounts.accountOf(token)
  const takeOne = async () => (account ? await takeCall(db, account.id, now()) : takeTokenCall(keyOf(token)))
  const own = createFairLimit({ places: atOnce, waiters: 1_000, waitMs, refusal: () => new ReadingCut('time') })
  let sent = 0
  let most = halfOf(requests.remaining(token))

  /** Waits for a turn of this reading, and then for one of all. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new ReadingCut('time')
    return await own
      .run('', () => limit.run(repositoryId, work, { signal }), { signal })
      .catch((error: unknown) => {
        throw signal.aborted ? new ReadingCut('time') : error
      })
  }

  async function send(request: Parameters<PullsRequest>[0], mayCall: () => Promise<boolean>): Promise<GithubResponse> {
    return await inTurn(async () => {
      if ((most !== null && sent >= most) || !(await mayCall())) throw new ReadingCut('calls')
      sent++
      const response = await requests.send({ ...request, token, signal })
      if (signal.aborted) throw new ReadingCut('time')
      if (response.kind === 'response' && (response.status === 401 || isRateLimit(response)))
        throw new ReadingCut('refused')
      most ??= halfOf(withThisCall(requests.remaining(token)))
      return response
    })
  }

  return {
    sendCounted: (request) => send(request, takeOne),
    sendUncounted: (request) => send(request, async () => true),
  }
}

function withThisCall(remaining: number | null): number | null {
  return remaining === null ? null : remaining + 1
}

function halfOf(remaining: number | null): number | null {
  return remaining === null ? null : Math.floor(remaining / 2)
}
