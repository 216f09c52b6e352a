import type { Log } from '../log.ts'
import type { Admission } from './admission.ts'
import { readRepositoryAnswer } from './answer.ts'
import type { GithubClient } from './client.ts'
import { createFlights, type Flight } from './flights.ts'
import { createIntroductions } from './introductions.ts'
import { repositoryNameKey } from './names.ts'
import type { PermissionCache, Sight } from './permission-cache.ts'
import { aboutQuestion, forLog, type Question, type Questioner } from './questioner.ts'
import type { TokenStates } from './token-states.ts'

export interface Sightings {
  /** What the token sees of the repository: from the cache, else from GitHub. Throws AppError where there is no telling. */
  see(question: Question): Promise<Sight>
  /** The answers to the questions under way (of that token, or all) may be older than what is known now. */
  supersede(tokenKey?: string): void
}

export function createSightings(options: {
  client: GithubClient
  cache: PermissionCache
  admission: Admission
  questioner: Questioner
  tokens: TokenStates
  log: Log
  now: () => number
}): Sightings {
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
          tokens.accept(tokenKey)
          if (flight.current) cache.keepSight({ tokenKey, nameKey, sight, askedAt })
          return sight
        }),
      )
    },
    supersede: flights.supersede,
  }
}

async function look(
  options: Parameters<typeof createSightings>[0],
  question: Question,
  flight: Flight,
  known: Sight | null,
): Promise<{ sight: Sight; askedAt: number }> {
  const { client, questioner, log, now } = options
  const seen = known?.kind === 'seen' ? known : null
  const etag = seen?.etag ?? null
  const { answer, askedAt } = await questioner.ask(flight, () => client.readRepository({ ...question, etag }))
  const verdict = readRepositoryAnswer(answer, etag !== null, now())
  switch (verdict.kind) {
    case 'seen':
    case 'sso_required':
      return { sight: verdict, askedAt }
    case 'unchanged':
      if (seen !== null) return { sight: seen, askedAt }
      throw questioner.settle(flight, question, { kind: 'unavailable', reason: 'status 304' })
    case 'invisible':
      if (verdict.message !== null) {
        const fields = { ...aboutQuestion(question), github_message: forLog(verdict.message, question.token) }
        log.warn(fields, 'GitHub keeps a token from a repository; answered as if it were invisible')
      }
      return { sight: { kind: 'invisible' }, askedAt }
    default:
      throw questioner.settle(flight, question, verdict)
  }
}
