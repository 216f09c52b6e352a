import { repositoryNameKey } from '../../../core/repository-names.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { GithubResponse } from '../github-response.ts'
import { isRateLimit, type RateLimits } from '../rate-limits.ts'
import type { GithubClient } from './caller-client.ts'
import type { LookUp } from './look-up.ts'
import type { TokenStates } from './token-states.ts'

const answeredMs = 600_000
/** How long a request without a usable answer is not repeated, in ms. */
const noAnswerMs = 10_000

/** Whether a token may read pull requests; null if GitHub gave no usable answer. */
export type Right = boolean | null

/** For how long an answer holds. */
export const rightMs = (right: Right) => (right === null ? noAnswerMs : answeredMs)

/**
 * Whether the token may read the pull requests of a repository that it sees. A promise only if GitHub has to be asked; it
 * never rejects. Without a usable answer it is a no.
 */
export type MayReadPullRequests = (token: string, repository: Target) => boolean | Promise<boolean>

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
  lookUp: LookUp<Right>
  tokens: TokenStates
  rateLimits: RateLimits
  /** Shared fairly among the tokens. Requests about access have a limit of their own. */
  limit: FairLimit
  now: () => number
}): MayReadPullRequests {
  const { client, lookUp, tokens, rateLimits, limit, now } = options

  return function mayReadPullRequests(token, { id, owner, name: repo, isPublic }) {
    if (isPublic) return true
    const tokenKey = tokens.keyOf(token)
    const known = lookUp.known(tokenKey, id)
    if (known?.isFresh) return known.value === true
    if (tokens.isRejected(tokenKey) || rateLimits.pausedUntil(tokenKey) !== null) return false
    const send = () => client.listOnePullRequest({ token, owner, repo })
    const right = lookUp.ask({ tokenKey, repository: id, address: '' }, async () => {
      const requestedAt = now()
      // The limit refuses the request if too many wait.
      const response = await limit.run(tokenKey, send).catch(() => null)
      const value = response && rightIn(response)
      return { value, requestedAt, repositoryId: id, nameKeys: [repositoryNameKey(owner, repo)] }
    })
    return right.then((value) => value === true)
  }
}

function rightIn(response: GithubResponse): Right {
  if (response.kind === 'failure') return null
  if (response.status === 200) return true
  if (response.status === 401 || response.status >= 500 || isRateLimit(response)) return null
  return false
}
