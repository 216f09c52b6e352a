import { failure, type Reply } from './route.ts'
import type { Limit, Token, World } from './world.ts'

export const hourMs = 3_600_000

export interface Spent {
  /** What to answer instead, when the limit is spent. */
  refusal: Reply | null
  headers(): Record<string, string>
  /** GitHub does not count an answer of 304. */
  giveBack(): void
}

/** Counts a call against the limit of the token's hour, or of all who have none. The App by itself has no limit here. */
export function spendCall(world: World, { token, isApp }: { token: Token | null; isApp: boolean }): Spent {
  if (isApp) return { refusal: null, headers: () => ({}), giveBack() {} }
  const limit = token?.limit ?? world.anonymousLimit
  if (world.now() >= limit.resetsAt) {
    limit.used = 0
    limit.resetsAt = world.now() + hourMs
  }
  const headers = () => limitHeaders(limit)
  if (limit.used >= limit.limit) return { refusal: limitExceeded(token, limit), headers, giveBack() {} }
  limit.used++
  return { refusal: null, headers, giveBack: () => void limit.used-- }
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

/** The primary limit: 403, and no `retry-after`. */
function limitExceeded(token: Token | null, limit: Limit): Reply {
  const whose = token === null ? '127.0.0.1' : token.login === null ? 'installation' : `user ${token.login}`
  return failure(403, `API rate limit exceeded for ${whose}.`, limitHeaders({ ...limit, used: limit.limit }))
}
