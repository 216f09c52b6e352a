import { createCoalescer } from '../../lib/coalesce.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { GithubResponse } from '../github-response.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { isRateLimit } from './parse-access-response.ts'
import type { PermissionCache } from './permission-cache.ts'
import type { TokenStates } from './token-states.ts'

export interface PullRequestRight {
  /**
   * Whether the token may read the pull requests of a repository that it sees. A promise only if GitHub has to be asked; it
   * never rejects. Without a usable answer it is a no.
   */
  mayRead(request: { token: string; tokenKey: string }, repository: Target): boolean | Promise<boolean>
  /** Marks the pending requests (of that token, or all) as outdated. */
  invalidate(tokenKey?: string): void
}

interface Target {
  id: bigint
  owner: string
  name: string
  isPublic?: boolean
}

/**
 * Asks whether a token may read pull requests (docs/rules.md#who-sees-observed-work). Everybody may in a public repository.
 * The answer changes nothing else that is known of the token.
 */
export function createPullRequestRight(options: {
  client: GithubClient
  cache: PermissionCache
  tokens: TokenStates
  /** Shared fairly among the tokens. Requests about access have a limit of their own. */
  limit: FairLimit
  now: () => number
}): PullRequestRight {
  const { client, cache, tokens, limit, now } = options
  const lookups = createCoalescer<boolean>()

  async function ask(token: string, { owner, name }: Target): Promise<boolean | null> {
    const send = () => client.listOnePullRequest({ token, owner, repo: name })
    // The limit refuses the request if too many wait.
    const response = await limit.run(tokens.keyOf(token), send).catch(() => null)
    return response === null ? null : parse(response)
  }

  return {
    mayRead({ token, tokenKey }, repository) {
      if (repository.isPublic) return true
      const cached = cache.mayReadPullRequests(tokenKey, repository.id)
      if (cached !== null) return cached
      if (tokens.isRejected(tokenKey) || tokens.limitedSeconds(tokenKey) !== null) return false
      const nameKey = repositoryNameKey(repository.owner, repository.name)
      return lookups.run(
        `${tokenKey} ${repository.id}`,
        async (pending) => {
          const requestedAt = now()
          const mayRead = await ask(token, repository)
          const entry = { tokenKey, nameKey, repositoryId: repository.id, mayRead, requestedAt }
          if (pending.isCurrent) cache.savePullRequests(entry)
          return mayRead === true
        },
        undefined,
      )
    },
    invalidate(tokenKey) {
      lookups.invalidate((key) => tokenKey === undefined || key.startsWith(`${tokenKey} `))
    },
  }
}

/** Null if the response does not say. */
function parse(response: GithubResponse): boolean | null {
  if (response.kind === 'failure') return null
  if (response.status === 200) return true
  if (response.status === 401 || response.status >= 500 || isRateLimit(response)) return null
  return false
}
