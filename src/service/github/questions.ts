import { createHash, randomBytes } from 'node:crypto'
import type { Octokit } from '@octokit/rest'
import { LRUCache } from 'lru-cache'
import type { AppError } from '../../core/errors.ts'
import { refusedRequests } from '../metrics.ts'
import { refusalOf, tooManyRefused } from './access-errors.ts'
import { octokitOf } from './octokit.ts'

/** A token, and where it came from. */
export interface Caller {
  token: string
  /** Of the client; an IPv6 network is one. */
  address: string
}

const minuteMs = 60_000
const dayMs = 86_400_000
const mostRefused = 20

/**
 * For answers of GitHub by token and repository. Equal questions at once are one, and what throws is not kept. Without
 * `ignoreFetchAbort` an evicted question would reject.
 */
export const kept = { max: 20_000, ttl: minuteMs, ignoreFetchAbort: true }
/** How long a refusal is kept that a change of rights may end. */
export const refusalMs = 10_000

/** Asks GitHub with the tokens of callers, and remembers which tokens it takes. Tokens are kept as keyed hashes alone. */
export function createQuestions(apiUrl: string) {
  const salt = randomBytes(32)
  const keyOf = (token: string) => createHash('sha256').update(salt).update(token).digest('base64url')
  const accepted = new LRUCache<string, true>({ max: 50_000, ttl: dayMs })
  /** Why GitHub refuses a token whatever it is asked: it is wrong, or its limit is spent. */
  const blocked = new LRUCache<string, AppError>({ max: 20_000, ttl: minuteMs })
  const refused = createRefusedTokens()

  function learn(key: string, address: string, refusal: AppError): void {
    const { code, options, status } = refusal
    if (code === 'invalid_token') {
      blocked.set(key, refusal)
      refused.note(address, key)
    } else if (code === 'rate_limited' && options.retryAt !== undefined)
      blocked.set(key, refusal, { ttl: Math.max(options.retryAt - Date.now(), 1) })
    else if (status < 500) accepted.set(key, true)
  }

  return {
    keyOf,
    /** The refusal that still holds for this token. */
    blockOf: (token: string): AppError | undefined => blocked.get(keyOf(token)),
    /** Throws an `AppError` where GitHub refuses, does not answer, or is not to be asked. */
    async ask<Answer>({ token, address }: Caller, question: (octokit: Octokit) => Promise<Answer>): Promise<Answer> {
      const key = keyOf(token)
      const block = blocked.get(key)
      if (block) throw block
      const lockedUntil = accepted.has(key) ? undefined : refused.lockedUntil(address)
      if (lockedUntil !== undefined) {
        refusedRequests.inc({ what: 'refused tokens' })
        throw tooManyRefused(lockedUntil)
      }
      try {
        const answer = await question(octokitOf(token, apiUrl))
        accepted.set(key, true)
        return answer
      } catch (error) {
        const refusal = refusalOf(error)
        learn(key, address, refusal)
        throw refusal
      }
    },
  }
}

export type Questions = ReturnType<typeof createQuestions>

/** Counts different tokens of an address that GitHub did not take, so that nobody tries tokens through this service. */
function createRefusedTokens() {
  const byAddress = new LRUCache<string, Map<string, number>>({ max: 20_000, ttl: minuteMs })
  return {
    note(address: string, key: string): void {
      const now = Date.now()
      const before = [...(byAddress.get(address) ?? [])].filter(([other, at]) => other !== key && at > now - minuteMs)
      byAddress.set(address, new Map([...before, [key, now]]))
    },
    /** Until when tokens that are not known are not asked about; undefined: they are. */
    lockedUntil(address: string): number | undefined {
      const oldest = [...(byAddress.get(address)?.values() ?? [])].at(-mostRefused)
      const until = (oldest ?? 0) + minuteMs
      return until > Date.now() ? until : undefined
    },
  }
}
