import { LRUCache } from 'lru-cache'
import { createOctokit, type GithubRequest, type GithubRequestOptions, sendRequest } from '../github-request.ts'
import type { GithubResponse } from '../github-response.ts'

export interface CallerRequests {
  /** Sends a request with the caller's token. No retries. Never throws. */
  send(request: GithubRequest & { token: string }): Promise<GithubResponse>
  /** How many calls GitHub said that the token has left; null if it is not known. */
  remaining(token: string): number | null
}

/** Requests that are not about access. GitHub's answers do not affect the access of the token. */
export function createCallerRequests(
  options: GithubRequestOptions & { keyOf: (token: string) => string; tokens: number; now: () => number },
): CallerRequests {
  const { keyOf, now } = options
  const octokit = createOctokit(options, 'caller')
  const limits = new LRUCache<string, Limit>({ max: options.tokens })

  /** Concurrent responses may arrive in another order than GitHub counted them: until the reset, the least counts. */
  function note(key: string, limit: Limit): void {
    const known = limits.get(key)
    if (known?.resets === limit.resets && known.remaining < limit.remaining) return
    limits.set(key, limit)
  }

  return {
    async send(request) {
      const response = await sendRequest(octokit, request)
      const limit = limitIn(response)
      if (limit) note(keyOf(request.token), limit)
      return response
    },
    remaining(token) {
      const limit = limits.get(keyOf(token))
      return limit && limit.resets > now() ? limit.remaining : null
    },
  }
}

/** How many calls are left until `resets`, in ms since 1970. */
interface Limit {
  remaining: number
  resets: number
}

function limitIn(response: GithubResponse): Limit | null {
  if (response.kind === 'failure') return null
  const [remaining, reset] = ['remaining', 'reset'].map((name) => response.headers[`x-ratelimit-${name}`] ?? '')
  if (remaining === undefined || reset === undefined || !/^\d{1,9}$/.test(remaining) || !/^\d{1,12}$/.test(reset))
    return null
  return { remaining: Number(remaining), resets: Number(reset) * 1_000 }
}
