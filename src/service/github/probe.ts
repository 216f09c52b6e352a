import type { Octokit } from '@octokit/rest'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../core/errors.ts'
import { type Caller, kept, type Questions, refusalMs } from './questions.ts'

interface Asked {
  caller: Caller
  repository: { owner: string; name: string; defaultBranch: string }
}

/** Asks one question to learn whether a token may do something in a repository. Throws where GitHub does not answer. */
export function createProbe(
  ask: Questions['ask'],
  question: (octokit: Octokit, repository: Asked['repository']) => Promise<unknown>,
) {
  const answers = new LRUCache<string, { may: boolean }, Asked>({
    ...kept,
    async fetchMethod(_key, _stale, { options, context: { caller, repository } }) {
      try {
        await ask(caller, (octokit) => question(octokit, repository))
        return { may: true }
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error
        options.ttl = refusalMs
        return { may: false }
      }
    },
  })
  return async (key: string, asked: Asked) => (await answers.forceFetch(key, { context: asked })).may
}

/** What GitHub shows for `ghs_…` and `github_pat_…` tokens is the role of the account, not of the token. */
export function needsWriteProbe(token: string): boolean {
  return token.startsWith('ghs_') || token.startsWith('github_pat_')
}
