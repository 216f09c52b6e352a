import { failure, type Reply } from './route.ts'
import type { Token, World } from './world.ts'

export const hourMs = 3_600_000

export interface Spent {
  /** What to answer instead, when the limit is spent. */
  refusal: Reply | null
  headers(): Record<string, string>
  /** GitHub does not count an answer of 304. */
  giveBack(): void
}

/** Counts a call against the token's limit of the hour. A call without a token has none here. */
export function spendCall(world: World, token: Token | null): Spent {
  if (token === null) return { refusal: null, headers: () => ({}), giveBack() {} }
  const { limit } = token
  if (world.now() >= limit.resetsAt) {
    limit.used = 0
    limit.resetsAt = world.now() + hourMs
  }
  const headers = () => limitHeaders(limit)
  if (limit.used >= limit.limit) return { refusal: limitExceeded(token), headers, giveBack() {} }
  limit.used++
  return { refusal: null, headers, giveBack: () => void limit.used-- }
}

function limitHeaders({ limit, used, resetsAt }: Token['limit']): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.floor(resetsAt / 1000)),
    'x-ratelimit-resource': 'core',
  }
}

/** The primary limit: 403, and no `retry-after`. */
export function limitExceeded({ login, limit }: Token): Reply {
  const whose = login === null ? 'installation' : `user ${login}`
  const headers = { ...limitHeaders({ ...limit, used: limit.limit }) }
  return failure(403, `API rate limit exceeded for ${whose}.`, headers)
}
