import { LRUCache } from 'lru-cache'
import { AppError } from '../../core/errors.ts'
import type { Repository } from './access.ts'
import { createProbe } from './probe.ts'
import { type Caller, kept, type Questions } from './questions.ts'

const hourMs = 3_600_000
const failureMs = 60_000

/** What else GitHub tells of a token: whose it is, and whether it may list pull requests. Neither fails a request. */
export function createTokenFacts({ ask, keyOf }: Questions) {
  const logins = new LRUCache<string, { login: string | null }, Caller>({
    ...kept,
    ttl: hourMs,
    async fetchMethod(_key, _stale, { options, context: caller }) {
      try {
        const { data } = await ask(caller, (octokit) => octokit.rest.users.getAuthenticated())
        if (typeof data.login === 'string') return { login: data.login }
      } catch (error) {
        // A token of an installation has no account.
        if (error instanceof AppError && error.code === 'not_found') return { login: null }
      }
      options.ttl = failureMs
      return { login: null }
    },
  })

  const mayList = createProbe(ask, ({ rest }, { owner, name: repo }) => rest.pulls.list({ owner, repo, per_page: 1 }))

  return {
    /** The account of the token; null where it has none, or GitHub does not tell. */
    async loginOf(caller: Caller): Promise<string | null> {
      const { login } = await logins.forceFetch(keyOf(caller.token), { context: caller })
      return login
    },
    /** Whether the token may list the pull requests. In a public repository everybody may. */
    async seesPulls(caller: Caller, repository: Repository): Promise<boolean> {
      if (repository.isPublic) return true
      const key = `${keyOf(caller.token)} ${repository.id}`
      return mayList(key, { caller, repository }).catch(() => false)
    },
  }
}
