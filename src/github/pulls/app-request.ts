import type { Lease } from '../../db/lease.ts'
import { isRateLimit } from '../access/parse-access-response.ts'
import type { GithubResponse } from '../github-response.ts'
import type { GithubApp } from '../installation/app-client.ts'
import { pauseUntil } from '../recovery/rate-limit-headroom.ts'
import type { PullsRequest } from './pulls-request.ts'

/** Lists, and readings that no webhook asks for, leave this part of a rate limit. Readings for webhooks use it. */
const reserve = 0.2

/** Why the App reads no more of a repository for now. */
export class ReadingEnded extends Error {
  readonly reason: 'paused' | 'not_installed' | 'stopped'
  /** When a paused reading may go on. */
  readonly until: Date | null
  constructor(reason: ReadingEnded['reason'], until: Date | null = null) {
    super(reason)
    this.name = 'ReadingEnded'
    this.reason = reason
    this.until = until
  }
}

/** Until when requests for each owner pause, as far as this process knows. */
export interface RateBudget {
  /** Null if a request may be sent now. */
  pausedUntil(owner: string, isUrgent: boolean, now: Date): Date | null
  note(owner: string, response: GithubResponse, now: Date): void
}

export function createRateBudget(): RateBudget {
  const pauses = { all: new Map<string, Date>(), background: new Map<string, Date>() }
  const current = (pause: Map<string, Date>, owner: string, now: Date) => {
    const until = pause.get(owner)
    return until && until > now ? until : null
  }
  return {
    pausedUntil(name, isUrgent, now) {
      const owner = name.toLowerCase()
      return current(pauses.all, owner, now) ?? (isUrgent ? null : current(pauses.background, owner, now))
    },
    note(name, response, now) {
      const until = pauseUntil(response, now, reserve)
      if (until === null) return
      const isSpent = response.kind === 'response' && isRateLimit(response)
      pauses[isSpent ? 'all' : 'background'].set(name.toLowerCase(), until)
    },
  }
}

export interface AppRequestDeps {
  app: Pick<GithubApp, 'requestForRepository'>
  budget: RateBudget
  lease: Lease
  now(): Date
  signal?: AbortSignal | undefined
}

/**
 * Sends requests of the App for one repository. Throws `ReadingEnded` if requests for the owner pause, the lease is
 * lost, the service stops, or the App is not installed there.
 */
export function createAppRequest(
  { app, budget, lease, now, signal }: AppRequestDeps,
  owner: string,
  { isUrgent }: { isUrgent: boolean },
): PullsRequest {
  return async ({ route, parameters, etag = null }) => {
    const paused = budget.pausedUntil(owner, isUrgent, now())
    if (paused !== null) throw new ReadingEnded('paused', paused)
    if (signal?.aborted || !(await lease.renew())) throw new ReadingEnded('stopped')
    const { owner: named, repo } = parameters
    const response = await app.requestForRepository(
      { owner: String(named), repo: String(repo) },
      { route, parameters, etag, signal },
    )
    if (response.kind === 'not_installed') throw new ReadingEnded('not_installed')
    if (signal?.aborted) throw new ReadingEnded('stopped')
    budget.note(owner, response, now())
    const spent = budget.pausedUntil(owner, true, now())
    if (spent !== null && (response.kind === 'failure' || isRateLimit(response)))
      throw new ReadingEnded('paused', spent)
    return response
  }
}
