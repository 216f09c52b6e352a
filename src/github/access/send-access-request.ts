import type { WaitForGithub } from '../../context.ts'
import type { AppError } from '../../errors.ts'
import type { PendingRequest } from '../../lib/coalesce.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { Log } from '../../lib/log.ts'
import type { GithubResponse } from '../github-response.ts'
import { githubRateLimited, githubUnavailable, invalidToken } from './access-errors.ts'
import type { UpstreamError } from './parse-access-response.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

/** A caller's question, its names and its token checked for form. `tokenKey` stands for the token wherever one is kept. */
export interface AccessLookup {
  token: string
  tokenKey: string
  owner: string
  repo: string
  address: string
  requestId: string | undefined
  waitForGithub: WaitForGithub
}

export interface AccessSender {
  /**
   * Puts a question to GitHub when its turn has come, and has the answer read before the turn passes on: what it says of
   * the token holds for whoever waits. `askedAt` in ms since 1970. Throws AppError where it must not ask, or has to wait too long.
   */
  send<T>(
    flight: PendingRequest,
    put: () => Promise<GithubResponse>,
    read: (answer: GithubResponse, askedAt: number) => T,
  ): Promise<T>
  /**
   * Draws from a trouble what concerns the token, and returns the error that those who wait get. The log names no
   * repository: nobody has said yet that the caller may see one of that name.
   */
  toAppError(flight: PendingRequest, question: AccessLookup, trouble: UpstreamError): AppError
}

export function createAccessSender(options: {
  admission: TokenGuard
  /** How many questions run at once: no token holds up the others. */
  limit: FairLimit
  tokens: TokenStates
  log: Log
  now: () => number
}): AccessSender {
  const { admission, limit, tokens, log, now } = options

  return {
    async send(flight, put, read) {
      return await limit.run(flight.tokenKey, async () => {
        // Much may have been learned while it waited for its turn.
        admission.check(flight.tokenKey, flight.addresses)
        const askedAt = now()
        return read(await put(), askedAt)
      })
    },
    toAppError(flight, question, trouble) {
      const about = { request_id: question.requestId }
      if (trouble.kind === 'refused') {
        admission.reject(flight)
        log.info(about, 'GitHub refused a token')
        return invalidToken()
      }
      if (trouble.kind === 'rate_limited') {
        const { retryAfterSeconds } = trouble
        tokens.limit(flight.tokenKey, retryAfterSeconds)
        log.warn({ ...about, retry_after_seconds: retryAfterSeconds }, "a token's rate limit at GitHub is spent")
        return githubRateLimited(retryAfterSeconds)
      }
      const reason = forLog(trouble.reason, question.token)
      log.warn({ ...about, reason }, 'GitHub gave no usable answer')
      return githubUnavailable(reason)
    },
  }
}

/** Other people's words on their way into the log: no token, no query of a URL (single sign-on), one line, 300 characters. */
export function forLog(text: string, token: string): string {
  return text
    .replaceAll(token, '[token]')
    .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/g, '$1')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300)
}
