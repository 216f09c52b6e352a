import { createCoalescer } from '../../lib/coalesce.ts'
import type { Log } from '../../lib/log.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { createFirstUseOfToken } from './first-use-of-token.ts'
import { isUpstreamError, parseRepositoryResponse } from './parse-access-response.ts'
import type { PermissionCache, Visibility } from './permission-cache.ts'
import { type AccessSender, type CheckedRequest, forLog, type PendingAccessRequest } from './send-access-request.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

export interface RepositoryVisibility {
  /** What the token sees of the repository, from the cache or from GitHub. Throws AppError if GitHub gives no result. */
  lookUp(request: CheckedRequest): Promise<Visibility>
  /** Marks the pending requests (of that token, or all) as outdated. */
  invalidate(tokenKey?: string): void
}

interface VisibilityOptions {
  client: GithubClient
  cache: PermissionCache
  guard: TokenGuard
  sender: AccessSender
  tokens: TokenStates
  log: Log
  now: () => number
}

export function createRepositoryVisibility(options: VisibilityOptions): RepositoryVisibility {
  const { cache, guard, tokens } = options
  const lookups = createCoalescer<Visibility, string>()
  const sendAfterFirst = createFirstUseOfToken(tokens)

  return {
    async lookUp(request) {
      const { tokenKey, owner, repo, address } = request
      const nameKey = repositoryNameKey(owner, repo)
      const cached = cache.visibility(tokenKey, nameKey)
      if (cached?.isFresh) return cached.visibility
      guard.check(tokenKey, [address])
      const start = (pending: PendingAccessRequest) =>
        sendAfterFirst(tokenKey, async () => {
          const { visibility, requestedAt } = await send(options, request, pending, cached?.visibility ?? null)
          if (pending.isCurrent) cache.saveVisibility({ tokenKey, nameKey, visibility, requestedAt })
          return visibility
        })
      return await request.waitForGithub(() => lookups.run(`${tokenKey} ${nameKey}`, start, address))
    },
    invalidate(tokenKey) {
      lookups.invalidate((key) => tokenKey === undefined || key.startsWith(`${tokenKey} `))
    },
  }
}

/** `stale` is the last result, whose ETag makes the request conditional. */
function send(
  options: VisibilityOptions,
  request: CheckedRequest,
  pending: PendingAccessRequest,
  stale: Visibility | null,
): Promise<{ visibility: Visibility; requestedAt: number }> {
  const { client, sender, tokens, now } = options
  const known = stale?.kind === 'visible' && stale.etag !== null ? stale : null
  const read = () => client.readRepository({ ...request, etag: known?.etag ?? null })
  return sender.send(request, pending, read, (response, requestedAt) => {
    const result = parseRepositoryResponse(response, known, now())
    if (isUpstreamError(result)) throw sender.toAppError(request, pending, result)
    tokens.accept(request.tokenKey)
    if (result.kind !== 'invisible') return { visibility: result, requestedAt }
    if (result.message !== null) {
      const { owner, repo, requestId, token } = request
      const fields = { owner, repo, request_id: requestId, github_message: forLog(result.message, token) }
      options.log.warn(fields, 'GitHub keeps a token from a repository; answered as if it were invisible')
    }
    return { visibility: { kind: 'invisible' }, requestedAt }
  })
}
