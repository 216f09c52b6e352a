import { createFlights, type Flight } from '../../lib/coalesce.ts'
import type { Log } from '../../lib/log.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { createIntroductions } from './first-use-of-token.ts'
import { isTrouble, readRepositoryAnswer } from './parse-access-response.ts'
import type { PermissionCache, Sight } from './permission-cache.ts'
import { forLog, type Question, type Questioner } from './send-access-request.ts'
import type { Admission } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

export interface Sightings {
  /** What the token sees of the repository: from the cache, else from GitHub. Throws AppError where there is no telling. */
  see(question: Question): Promise<Sight>
  /** The answers to the questions under way (of that token, or all) may be older than what is known now. */
  supersede(tokenKey?: string): void
}

interface SightingsOptions {
  client: GithubClient
  cache: PermissionCache
  admission: Admission
  questioner: Questioner
  tokens: TokenStates
  log: Log
  now: () => number
}

export function createSightings(options: SightingsOptions): Sightings {
  const { cache, tokens } = options
  const flights = createFlights<Sight>()
  const introduced = createIntroductions(tokens)

  return {
    async see(question) {
      const { tokenKey, owner, repo, address } = question
      const nameKey = repositoryNameKey(owner, repo)
      const held = cache.sight(tokenKey, nameKey)
      if (held?.believed) return held.sight
      options.admission.admit(tokenKey, [address])
      return await flights.join(`${tokenKey} ${nameKey}`, question, (flight) =>
        introduced(tokenKey, async () => {
          const { sight, askedAt } = await look(options, question, flight, held?.sight ?? null)
          if (flight.current) cache.keepSight({ tokenKey, nameKey, sight, askedAt })
          return sight
        }),
      )
    },
    supersede: flights.supersede,
  }
}

async function look(
  options: SightingsOptions,
  question: Question,
  flight: Flight,
  held: Sight | null,
): Promise<{ sight: Sight; askedAt: number }> {
  const { client, questioner, tokens, now } = options
  const known = held?.kind === 'seen' && held.etag !== null ? held : null
  const put = () => client.readRepository({ ...question, etag: known?.etag ?? null })
  return await questioner.ask(flight, put, (answer, askedAt) => {
    const verdict = readRepositoryAnswer(answer, known, now())
    if (isTrouble(verdict)) throw questioner.settle(flight, question, verdict)
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
