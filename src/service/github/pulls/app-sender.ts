import type { Lease } from '../../db/lease.ts'
import type { GithubApp } from '../installation/app-client.ts'
import { isRateLimit, type RateLimits } from '../rate-limits.ts'
import type { SendRequest } from './read-response.ts'

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

export interface AppSenderDeps {
  app: Pick<GithubApp, 'requestForRepository'>
  /** Of each owner, whose name in lower case is the key. */
  rateLimits: RateLimits
  lease: Lease
  signal?: AbortSignal | undefined
}

/**
 * Sends requests of the App for one repository. Throws `ReadingEnded` if requests for the owner pause, the lease is
 * lost, the service stops, or the App is not installed there.
 */
export function createAppSender(
  { app, rateLimits, lease, signal }: AppSenderDeps,
  owner: string,
  { isUrgent }: { isUrgent: boolean },
): SendRequest {
  const key = owner.toLowerCase()
  return async ({ route, parameters, etag = null }) => {
    const paused = rateLimits.pausedUntil(key, isUrgent ? undefined : reserve)
    if (paused !== null) throw new ReadingEnded('paused', new Date(paused))
    if (signal?.aborted || !(await lease.renew())) throw new ReadingEnded('stopped')
    const { owner: named, repo } = parameters
    const response = await app.requestForRepository(
      { owner: String(named), repo: String(repo) },
      { route, parameters, etag, signal },
    )
    if (response.kind === 'not_installed') throw new ReadingEnded('not_installed')
    if (signal?.aborted) throw new ReadingEnded('stopped')
    rateLimits.note(key, response)
    const spent = rateLimits.pausedUntil(key)
    if (spent !== null && (response.kind === 'failure' || isRateLimit(response)))
      throw new ReadingEnded('paused', new Date(spent))
    return response
  }
}
