import { createCoalescer } from '../../lib/coalesce.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { isUpstreamError, parseWriteResponse, type VisibleRepository } from './parse-access-response.ts'
import type { PermissionCache } from './permission-cache.ts'
import type { AccessLookup, AccessSender } from './send-access-request.ts'
import type { TokenGuard } from './token-guard.ts'

export interface WriteProbe {
  /** Whether GitHub lets a token write whose `permissions` say nothing. Throws AppError where there is no telling. */
  mayWrite(question: AccessLookup, repository: VisibleRepository): Promise<boolean>
  /** The answers to the questions under way (of that token, or all) may be older than what is known now. */
  supersede(tokenKey?: string): void
}

/**
 * Asks for something that needs `contents: write` and saves nothing (docs/rules.md#write-probe). For writes only: it is
 * expensive.
 */
export function createWriteProbe(options: {
  client: GithubClient
  cache: PermissionCache
  admission: TokenGuard
  questioner: AccessSender
  now: () => number
}): WriteProbe {
  const { client, cache, admission, questioner, now } = options
  const flights = createCoalescer<boolean>()

  async function probe(question: AccessLookup, repository: VisibleRepository): Promise<boolean> {
    const { token, tokenKey } = question
    const { id: repositoryId, owner, name: repo, defaultBranch } = repository
    const nameKey = repositoryNameKey(owner, repo)
    const put = () => client.generateNotes({ token, owner, repo, defaultBranch })
    return await flights.run(`${tokenKey} ${repositoryId}`, question, (flight) =>
      questioner.send(flight, put, (answer, askedAt) => {
        const verdict = parseWriteResponse(answer, now())
        if (isUpstreamError(verdict)) throw questioner.toAppError(flight, question, verdict)
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
      admission.check(question.tokenKey, [question.address])
      return await question.waitForGithub(() => probe(question, repository))
    },
    supersede: flights.invalidate,
  }
}
