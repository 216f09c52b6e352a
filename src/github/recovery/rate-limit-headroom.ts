import { isRateLimit, retryAfterSeconds } from '../access/parse-access-response.ts'
import type { GithubResponse } from '../github-response.ts'

/** This part of a rate limit is left for settings, and for callers with the App's tokens. */
const defaultReserve = 0.1

/**
 * Until when background jobs must pause after this response: the rate limit is spent, or only the reserved part of it is
 * left. Null if they may go on.
 */
export function pauseUntil(response: GithubResponse, now: Date, reserve = defaultReserve): Date | null {
  if (response.kind === 'failure') return null
  if (isRateLimit(response)) return new Date(now.getTime() + retryAfterSeconds(response, now.getTime()) * 1000)
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(response.headers[`x-ratelimit-${name}`] ?? Number.NaN),
  )
  if (limit === undefined || remaining === undefined || !(remaining <= limit * reserve)) return null
  const resets = new Date((reset ?? Number.NaN) * 1000)
  // The reset is missing, or in the past by our clock.
  return resets > now ? resets : new Date(now.getTime() + 60_000)
}

/** The URL of the next page, if there is one. */
export function nextPage(response: GithubResponse): URL | null {
  if (response.kind === 'failure') return null
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.link ?? '')?.[1]
  return next !== undefined && URL.canParse(next) ? new URL(next) : null
}
