import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import {
  type RepositoryVerdict,
  readRepositoryAnswer,
  readWriteAnswer,
  type SeenRepository,
  type Trouble,
} from './answer.ts'
import type { GithubAnswer, GithubClient } from './client.ts'
import type { Flight } from './flights.ts'
import { createGate } from './gate.ts'
import type { Sight } from './permission-cache.ts'
import type { Refusals } from './refusals.ts'
import type { TokenStates } from './token-states.ts'

const comeBackSeconds = 10

export interface Question {
  token: string
  tokenKey: string
  owner: string
  repo: string
  address: string
  requestId: string | undefined
}

export interface Questioner {
  /** Throws where GitHub must not be asked with this token, or not for any of these addresses. */
  admit(tokenKey: string, addresses: Iterable<string>): void
  /** `known` is the last answer, for its ETag. Throws AppError for whatever is no answer about the repository. */
  readRepository(question: Question, flight: Flight, known: Sight | null): Promise<{ sight: Sight; askedAt: number }>
  probeWrite(
    question: Question,
    flight: Flight,
    repository: SeenRepository,
  ): Promise<{ mayWrite: boolean; askedAt: number }>
}

/** Puts questions to GitHub within the limits of decisions §7, and draws from the answers what concerns the token. */
export function createQuestioner(options: {
  client: GithubClient
  tokens: TokenStates
  refusals: Refusals
  limits: { questionsAtOnce: number; questionsWaiting: number; questionMs: number }
  log: Log
  now: () => number
  onRefused: (tokenKey: string) => void
}): Questioner {
  const { client, tokens, refusals, limits, log, now } = options
  const gate = createGate({
    atOnce: limits.questionsAtOnce,
    waiting: limits.questionsWaiting,
    waitMs: limits.questionMs,
    tooLong: () => unavailable('too many questions to GitHub at once'),
  })

  function admit(tokenKey: string, addresses: Iterable<string>): void {
    if (tokens.isRefused(tokenKey)) throw new AppError('invalid_token', 'GitHub does not accept this token.')
    const limited = tokens.limitedSeconds(tokenKey)
    if (limited !== null) throw rateLimited(limited)
    // One whom GitHub knows is no guess, and is served from whatever address.
    if (tokens.isAccepted(tokenKey)) return
    const waits = [...addresses].map((address) => refusals.retryAfterSeconds(address))
    if (waits.includes(null)) return
    const retryAfterSeconds = Math.min(...waits.filter((wait) => wait !== null))
    throw new AppError('rate_limited', 'GitHub refused too many tokens from this address.', { retryAfterSeconds })
  }

  async function ask(
    flight: Flight,
    question: () => Promise<GithubAnswer>,
  ): Promise<{ answer: GithubAnswer; askedAt: number }> {
    return await gate.run(async () => {
      // Much may have been learned while it waited for its turn.
      admit(flight.tokenKey, flight.addresses)
      const askedAt = now()
      return { answer: await question(), askedAt }
    })
  }

  function settle(flight: Flight, question: Question, trouble: Trouble): AppError {
    const { tokenKey } = flight
    const about = { owner: question.owner, repo: question.repo, request_id: question.requestId }
    if (trouble.kind === 'refused') {
      tokens.refuse(tokenKey)
      for (const address of flight.addresses) refusals.count(address, tokenKey)
      options.onRefused(tokenKey)
      return new AppError('invalid_token', 'GitHub does not accept this token.')
    }
    if (trouble.kind === 'rate_limited') {
      tokens.limit(tokenKey, trouble.retryAfterSeconds)
      log.warn({ ...about, retry_after_seconds: trouble.retryAfterSeconds }, "a token's rate limit at GitHub is spent")
      return rateLimited(trouble.retryAfterSeconds)
    }
    const reason = forLog(trouble.reason, question.token)
    log.warn({ ...about, reason }, 'GitHub gave no usable answer')
    return unavailable(reason)
  }

  return {
    admit,
    async readRepository(question, flight, known) {
      const { token, owner, repo } = question
      const seen = known?.kind === 'seen' ? known : null
      const etag = seen?.etag ?? null
      const { answer, askedAt } = await ask(flight, () => client.readRepository({ token, owner, repo, etag }))
      const verdict: RepositoryVerdict = readRepositoryAnswer(answer, etag !== null, now())
      switch (verdict.kind) {
        case 'unchanged':
          if (seen === null) throw settle(flight, question, { kind: 'unavailable', reason: 'status 304' })
          tokens.accept(flight.tokenKey)
          return { sight: seen, askedAt }
        case 'seen':
        case 'sso_required':
          tokens.accept(flight.tokenKey)
          return { sight: verdict, askedAt }
        case 'invisible': {
          tokens.accept(flight.tokenKey)
          if (verdict.message !== null) {
            const message = forLog(verdict.message, token)
            const fields = { owner, repo, request_id: question.requestId, github_message: message }
            log.warn(fields, 'GitHub keeps a token from a repository; answered as if it were invisible')
          }
          return { sight: { kind: 'invisible' }, askedAt }
        }
        default:
          throw settle(flight, question, verdict)
      }
    },
    async probeWrite(question, flight, { owner, name: repo, defaultBranch }) {
      const { token } = question
      const { answer, askedAt } = await ask(flight, () => client.generateNotes({ token, owner, repo, defaultBranch }))
      const verdict = readWriteAnswer(answer, now())
      if (verdict.kind === 'may_write' || verdict.kind === 'may_not_write') {
        return { mayWrite: verdict.kind === 'may_write', askedAt }
      }
      throw settle(flight, question, verdict)
    },
  }
}

function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError('github_rate_limited', "This token's rate limit at GitHub is spent.", { retryAfterSeconds })
}

function unavailable(reason: string): AppError {
  const message = 'GitHub, which decides who may see this repository, gave no usable answer.'
  return new AppError('github_unavailable', message, { retryAfterSeconds: comeBackSeconds, cause: new Error(reason) })
}

/** Other people's words on their way into the log: no token, no query of a URL (single sign-on), one line, 300 characters. */
function forLog(text: string, token: string): string {
  return text
    .replaceAll(token, '[token]')
    .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/g, '$1')
    .replace(/\s+/g, ' ')
    .slice(0, 300)
}
