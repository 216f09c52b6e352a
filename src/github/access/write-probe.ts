import { createFlights } from '../../lib/coalesce.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { isTrouble, readWriteAnswer, type SeenRepository } from './parse-access-response.ts'
import type { PermissionCache } from './permission-cache.ts'
import type { Question, Questioner } from './send-access-request.ts'
import type { Admission } from './token-guard.ts'

export interface WriteProbe {
  /** Whether GitHub lets a token write whose `permissions` say nothing. Throws AppError where there is no telling. */
  mayWrite(question: Question, repository: SeenRepository): Promise<boolean>
  /** The answers to the questions under way (of that token, or all) may be older than what is known now. */
  supersede(tokenKey?: string): void
}

/** Asks for something that needs `contents: write` and saves nothing (decisions §7). For writes alone: it is dear. */
export function createWriteProbe(options: {
  client: GithubClient
  cache: PermissionCache
  admission: Admission
  questioner: Questioner
  now: () => number
}): WriteProbe {
  const { client, cache, admission, questioner, now } = options
  const flights = createFlights<boolean>()

  async function probe(question: Question, repository: SeenRepository): Promise<boolean> {
    const { token, tokenKey } = question
    const { id: repositoryId, owner, name: repo, defaultBranch } = repository
    const nameKey = repositoryNameKey(owner, repo)
    const put = () => client.generateNotes({ token, owner, repo, defaultBranch })
    return await flights.join(`${tokenKey} ${repositoryId}`, question, (flight) =>
      questioner.ask(flight, put, (answer, askedAt) => {
        const verdict = readWriteAnswer(answer, now())
        if (isTrouble(verdict)) throw questioner.settle(flight, question, verdict)
        const mayWrite = verdict.kind === 'may_write'
        if (flight.current) cache.keepWrite({ tokenKey, nameKey, repositoryId, mayWrite, askedAt })
        return mayWrite
      }),
    )
  }

  return {
    async mayWrite(question, repository) {
      const held = cache.mayWrite(question.tokenKey, repository.id)
      if (held !== null) return held
      admission.admit(question.tokenKey, [question.address])
      return await probe(question, repository)
    },
    supersede: flights.supersede,
  }
}
