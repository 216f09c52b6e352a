import { createCoalescer, type PendingRequest } from '../../lib/coalesce.ts'
import type { Log } from '../../lib/log.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { createFirstUseOfToken } from './first-use-of-token.ts'
import { isUpstreamError, parseRepositoryResponse } from './parse-access-response.ts'
import type { PermissionCache, Visibility } from './permission-cache.ts'
import { type AccessLookup, type AccessSender, forLog } from './send-access-request.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

export interface RepositoryVisibility {
  /** What the token sees of the repository: from the cache, else from GitHub. Throws AppError where there is no telling. */
  lookUp(question: AccessLookup): Promise<Visibility>
  /** The answers to the questions under way (of that token, or all) may be older than what is known now. */
  invalidate(tokenKey?: string): void
}

interface SightingsOptions {
  client: GithubClient
  cache: PermissionCache
  admission: TokenGuard
  questioner: AccessSender
  tokens: TokenStates
  log: Log
  now: () => number
}

export function createRepositoryVisibility(options: SightingsOptions): RepositoryVisibility {
  const { cache, tokens } = options
  const flights = createCoalescer<Visibility>()
  const introduced = createFirstUseOfToken(tokens)

  return {
    async lookUp(question) {
      const { tokenKey, owner, repo, address } = question
      const nameKey = repositoryNameKey(owner, repo)
      const held = cache.sight(tokenKey, nameKey)
      if (held?.believed) return held.sight
      options.admission.check(tokenKey, [address])
      const ask = (flight: PendingRequest) =>
        introduced(tokenKey, async () => {
          const { sight, askedAt } = await look(options, question, flight, held?.sight ?? null)
          if (flight.current) cache.keepVisibility({ tokenKey, nameKey, sight, askedAt })
          return sight
        })
      return await question.waitForGithub(() => flights.run(`${tokenKey} ${nameKey}`, question, ask))
    },
    invalidate: flights.invalidate,
  }
}

async function look(
  options: SightingsOptions,
  question: AccessLookup,
  flight: PendingRequest,
  held: Visibility | null,
): Promise<{ sight: Visibility; askedAt: number }> {
  const { client, questioner, tokens, now } = options
  const known = held?.kind === 'seen' && held.etag !== null ? held : null
  const put = () => client.readRepository({ ...question, etag: known?.etag ?? null })
  return await questioner.send(flight, put, (answer, askedAt) => {
    const verdict = parseRepositoryResponse(answer, known, now())
    if (isUpstreamError(verdict)) throw questioner.toAppError(flight, question, verdict)
    tokens.accept(flight.tokenKey)
    if (verdict.kind !== 'invisible') return { sight: verdict, askedAt }
    if (verdict.message !== null) {
      const { owner, repo, requestId, token } = question
      const fields = { owner, repo, request_id: requestId, github_message: forLog(verdict.message, token) }
      options.log.warn(fields, 'GitHub keeps a token from a repository; answered as if it were invisible')
    }
    return { sight: { kind: 'invisible' }, askedAt }
  })
}
