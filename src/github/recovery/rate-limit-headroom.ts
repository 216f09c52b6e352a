import { isRateLimit, retryAfterSeconds } from '../access/parse-access-response.ts'
import type { GithubResponse } from '../github-response.ts'

/** This part of a limit is left to those who wait for their answers: settings, and callers with the App's tokens. */
const reserve = 0.1

/**
 * Until when background work has to leave GitHub alone after this answer: a limit is spent, or no more than its reserve is
 * left. Null where it may go on.
 */
export function pauseUntil(answer: GithubResponse, now: Date): Date | null {
  if (answer.kind === 'failure') return null
  if (isRateLimit(answer)) return new Date(now.getTime() + retryAfterSeconds(answer, now.getTime()) * 1000)
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(answer.headers[`x-ratelimit-${name}`] ?? Number.NaN),
  )
  if (limit === undefined || remaining === undefined || !(remaining <= limit * reserve)) return null
  const resets = new Date((reset ?? Number.NaN) * 1000)
  // A reset that can't be read, or is over by our clock: by the next turn it will be.
  return resets > now ? resets : new Date(now.getTime() + 60_000)
}

/** The address of the next page, where the answer names one. */
export function nextPage(answer: GithubResponse): URL | null {
  if (answer.kind === 'failure') return null
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.link ?? '')?.[1]
  return next !== undefined && URL.canParse(next) ? new URL(next) : null
}
