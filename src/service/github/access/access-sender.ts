import type { AppError } from '../../../core/errors.ts'
import type { PendingRequest } from '../../lib/coalesce.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { Log } from '../../lib/log.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import type { GithubResponse } from '../github-response.ts'
import type { RateLimits } from '../rate-limits.ts'
import { githubRateLimited, githubUnavailable, invalidToken } from './access-errors.ts'
import type { UpstreamError } from './parse-access-response.ts'
import type { TokenGuard } from './token-guard.ts'

/** A caller's request after its token and names were checked. `tokenKey` stands for the token in all caches. */
export interface CheckedRequest {
  token: string
  tokenKey: string
  owner: string
  repo: string
  address: string
  requestId: string | undefined
  waitForGithub: WaitForGithub
}

/** Its callers are client addresses. */
export type PendingAccessRequest = PendingRequest<string>

export interface AccessSender {
  /**
   * Waits for the slot of unknown tokens, if the token needs one, and for a slot of all requests, and sends the request. `read` runs before these are given back, so that the
   * next request of this token knows its result. `requestedAt` is in ms since 1970. Throws AppError if no request may be sent.
   */
  send<T>(
    request: CheckedRequest,
    pending: PendingAccessRequest,
    send: () => Promise<GithubResponse>,
    read: (response: GithubResponse, requestedAt: number) => T,
  ): Promise<T>
  /**
   * Records what the error says about the token, and returns the error for the callers. The log line names no repository,
   * since the caller may not be allowed to know that it exists.
   */
  toAppError(request: CheckedRequest, pending: PendingAccessRequest, error: UpstreamError): AppError
}

export function createAccessSender(options: {
  guard: TokenGuard
  /** Shared out among the tokens. */
  limit: FairLimit
  rateLimits: RateLimits
  log: Log
  now: () => number
}): AccessSender {
  const { guard, limit, rateLimits, log, now } = options

  return {
    async send({ tokenKey }, pending, send, read) {
      let giveBack = await guard.takeSlot(tokenKey, pending.callers)
      try {
        for (;;) {
          const sent = await limit.run(tokenKey, async () => {
            // The token may have been rejected or limited while this request waited.
            guard.check(tokenKey)
            if (giveBack === null && guard.needsSlot(tokenKey, pending.callers)) return null
            const requestedAt = now()
            const response = await send()
            rateLimits.note(tokenKey, response)
            return { result: read(response, requestedAt) }
          })
          if (sent) return sent.result
          giveBack = await guard.takeSlot(tokenKey, pending.callers)
        }
      } finally {
        giveBack?.()
      }
    },
    toAppError({ token, tokenKey, requestId }, pending, error) {
      const fields = { request_id: requestId }
      if (error.kind === 'rejected') {
        guard.reject(tokenKey, pending.callers)
        log.info(fields, 'GitHub refused a token')
        return invalidToken()
      }
      if (error.kind === 'rate_limited') {
        const { retryAfterSeconds } = error
        log.warn({ ...fields, retry_after_seconds: retryAfterSeconds }, "a token's rate limit at GitHub is spent")
        return githubRateLimited(retryAfterSeconds)
      }
      const reason = forLog(error.reason, token)
      log.warn({ ...fields, reason }, 'GitHub gave no usable answer')
      return githubUnavailable(reason, error.noAnswer)
    },
  }
}

/**
 * Makes GitHub's text safe to log: without the token and the queries of URLs (single sign-on), on one line, at most 300
 * characters.
 */
export function forLog(text: string, token: string): string {
  return text
    .replaceAll(token, '[token]')
    .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/g, '$1')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300)
}
