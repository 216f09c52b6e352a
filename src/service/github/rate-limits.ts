import { LRUCache } from 'lru-cache'
import { type GithubResponse, githubMessage, type ReceivedResponse } from './github-response.ts'

/** How long a limit is taken to last where GitHub does not say it, in ms. */
const unknownMs = 60_000
/** GitHub's longest limit is an hour. A time in the past or far in the future is a wrong unit or a wrong clock. */
const longestMs = 86_400_000

/** What GitHub said last of the rate limits of tokens or owners. All times are in ms since 1970. */
export interface RateLimits {
  note(key: string, response: GithubResponse): void
  /**
   * Until when no request may be sent; null if one may be. With a `reserve`, the last requests up to this part of the limit
   * may not be sent either.
   */
  pausedUntil(key: string, reserve?: number): number | null
  /** How many requests are left; null if that is not known. */
  remaining(key: string): number | null
}

interface Known {
  notedAt: number
  /** Until when GitHub refuses requests. */
  spentUntil: number
  left: (RequestsLeft & { resetsAt: number }) | null
}

/** Remembers the limits of at most `entries` keys. A clock that is set back ends what is known, so that nothing lasts longer. */
export function createRateLimits({ entries, now }: { entries: number; now: () => number }): RateLimits {
  const limits = new LRUCache<string, Known>({ max: entries })

  function knownOf(key: string): Known | undefined {
    const known = limits.get(key)
    return known && known.notedAt <= now() ? known : undefined
  }

  function leftOf(key: string): Known['left'] {
    const left = knownOf(key)?.left ?? null
    return left && left.resetsAt > now() ? left : null
  }

  return {
    note(key, response) {
      if (response.kind === 'failure') return
      const notedAt = now()
      const found = requestsLeft(response)
      const spentUntil = isRateLimit(response) ? notedAt + retryAfterSeconds(response, notedAt) * 1000 : 0
      if (found === null && spentUntil === 0) return
      const known = knownOf(key)
      const left = found && { ...found, resetsAt: resetsAt(response, notedAt) ?? notedAt + unknownMs }
      limits.set(key, {
        notedAt,
        spentUntil: Math.max(spentUntil, known?.spentUntil ?? 0),
        left: leastLeft(known?.left ?? null, left),
      })
    },
    pausedUntil(key, reserve) {
      const { spentUntil = 0 } = knownOf(key) ?? {}
      if (spentUntil > now()) return spentUntil
      const left = leftOf(key)
      return left && reserve !== undefined && isReserve(left, reserve) ? left.resetsAt : null
    },
    remaining: (key) => leftOf(key)?.remaining ?? null,
  }
}

/** Concurrent responses may arrive in another order than GitHub counted them: until the reset, the least counts. */
function leastLeft(known: Known['left'], next: Known['left']): Known['left'] {
  if (known === null || next === null) return next ?? known
  return known.resetsAt === next.resetsAt && known.remaining < next.remaining ? known : next
}

/** Whether the response reports a spent rate limit (docs/rules.md#github-rate-limits). */
export function isRateLimit(response: GithubResponse): boolean {
  if (response.kind === 'failure') return false
  if (response.status === 429) return true
  if (response.status !== 403) return false
  if (response.headers['x-ratelimit-remaining']?.trim() === '0') return true
  if (response.headers['retry-after'] !== undefined) return true
  // A secondary limit can be a 403 that only its message explains. Older servers call it "abuse detection".
  return /rate[ -]?limit|login attempts|abuse detection/i.test(githubMessage(response) ?? '')
}

/** Whether the response reports a spent rate limit, or one of which no more than the reserved part is left. */
export function isNearlySpent(response: GithubResponse, reserve: number): boolean {
  const left = requestsLeft(response)
  return isRateLimit(response) || (left !== null && isReserve(left, reserve))
}

/** How long to wait after a rate limit, in whole seconds. */
export function retryAfterSeconds(response: ReceivedResponse, now: number): number {
  const header = response.headers['retry-after']?.trim() ?? ''
  const asked = /^\d+$/.test(header) ? now + Math.max(1, Number(header)) * 1000 : Date.parse(header)
  // With requests remaining, the reset belongs to another limit than the spent one.
  const isSpent = (response.headers['x-ratelimit-remaining']?.trim() ?? '0') === '0'
  const until = ahead(asked, now) ?? (isSpent ? resetsAt(response, now) : null) ?? now + unknownMs
  return Math.ceil((until - now) / 1000)
}

interface RequestsLeft {
  remaining: number
  /** Of how many; NaN if GitHub did not say it. */
  total: number
}

/** How many requests the response says are left. Other resources, such as the search, have limits of their own. */
export function requestsLeft(response: GithubResponse): RequestsLeft | null {
  if (response.kind === 'failure' || (response.headers['x-ratelimit-resource'] ?? 'core') !== 'core') return null
  const remaining = response.headers['x-ratelimit-remaining'] ?? ''
  const total = Number(response.headers['x-ratelimit-limit'] ?? Number.NaN)
  return /^\d{1,9}$/.test(remaining) ? { remaining: Number(remaining), total } : null
}

function isReserve({ remaining, total }: RequestsLeft, reserve: number): boolean {
  return remaining <= total * reserve
}

/** Null where GitHub does not say it. */
function resetsAt({ headers }: ReceivedResponse, now: number): number | null {
  return ahead(Number(headers['x-ratelimit-reset']) * 1000, now)
}

function ahead(time: number, now: number): number | null {
  return time > now && time - now <= longestMs ? time : null
}
