import type { GithubData, Limit, Token } from './data.ts'
import { failure, type Reply } from './route.ts'

export const hourMs = 3_600_000

export interface CallCost {
  /** The response if the limit is spent. */
  refusal: Reply | null
  headers(): Record<string, string>
  /** Undoes the count: GitHub does not count a response of 304. */
  undo(): void
}

/** Counts a call against the hourly limit of the token, or of all callers without one. The App itself has no limit here. */
export function countCall(data: GithubData, { token, isApp }: { token: Token | null; isApp: boolean }): CallCost {
  if (isApp) return { refusal: null, headers: () => ({}), undo() {} }
  const limit = token?.limit ?? data.anonymousLimit
  if (data.now() >= limit.resetsAt) {
    limit.used = 0
    limit.resetsAt = data.now() + hourMs
  }
  const headers = () => limitHeaders(limit)
  if (limit.used >= limit.limit) return { refusal: limitExceeded(token, limit), headers, undo() {} }
  limit.used++
  return { refusal: null, headers, undo: () => void limit.used-- }
}

function limitHeaders({ limit, used, resetsAt }: Limit): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.floor(resetsAt / 1000)),
    'x-ratelimit-resource': 'core',
  }
}

/** GitHub's primary limit: 403 without `retry-after`. */
function limitExceeded(token: Token | null, limit: Limit): Reply {
  const whose = token === null ? '127.0.0.1' : token.login === null ? 'installation' : `user ${token.login}`
  return failure(403, `API rate limit exceeded for ${whose}.`, limitHeaders({ ...limit, used: limit.limit }))
}
