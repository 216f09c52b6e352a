import { repositoryNameKey } from '../../../core/repository-names.ts'
import type { PendingRequest } from '../../lib/coalesce.ts'
import type { Log } from '../../lib/log.ts'
import { type AccessSender, type CheckedRequest, forLog } from './access-sender.ts'
import type { GithubClient } from './caller-client.ts'
import { createFirstUseOfToken } from './first-use-of-token.ts'
import type { FoundAnswer, LookUp } from './look-up.ts'
import { isUpstreamError, parseRepositoryResponse, type Visible } from './parse-access-response.ts'
import type { TokenGuard } from './token-guard.ts'
import type { TokenStates } from './token-states.ts'

const notVisibleMs = 10_000

/** What a token sees of a repository. */
export type Visibility = Visible | { kind: 'invisible' } | { kind: 'sso_required'; sso: string }

/** For how long an answer holds: a 404 or 403 for 10 s at most. */
export function visibilityMs(permissionCacheMs: number): (visibility: Visibility) => number {
  return ({ kind }) => (kind === 'visible' ? permissionCacheMs : Math.min(notVisibleMs, permissionCacheMs))
}

interface VisibilityOptions {
  client: GithubClient
  lookUp: LookUp<Visibility>
  guard: TokenGuard
  sender: AccessSender
  tokens: TokenStates
  log: Log
  now: () => number
}

/**
 * Returns a function that says what a token sees of a repository, from the cache or from GitHub. It throws AppError if
 * GitHub gives no result.
 */
export function createRepositoryVisibility(
  options: VisibilityOptions,
): (request: CheckedRequest) => Promise<Visibility> {
  const { lookUp, guard, tokens } = options
  const sendAfterFirst = createFirstUseOfToken(tokens)

  return async function visibilityOf(request) {
    const { tokenKey, owner, repo, address } = request
    const nameKey = repositoryNameKey(owner, repo)
    const known = lookUp.known(tokenKey, nameKey)
    if (known?.isFresh) return known.value
    guard.check(tokenKey, [address])
    return await request.waitForGithub(() =>
      lookUp.ask({ tokenKey, repository: nameKey, address }, (pending) =>
        sendAfterFirst(tokenKey, () => find(options, request, pending, known?.value ?? null)),
      ),
    )
  }
}

/** `stale` is the last result, whose ETag makes the request conditional. */
function find(
  { client, sender, tokens, log, now }: VisibilityOptions,
  request: CheckedRequest,
  pending: PendingRequest<string>,
  stale: Visibility | null,
): Promise<FoundAnswer<Visibility>> {
  const known = stale?.kind === 'visible' && stale.etag !== null ? stale : null
  const read = () => client.readRepository({ ...request, etag: known?.etag ?? null })
  const { owner, repo, requestId, token } = request
  const nameKey = repositoryNameKey(owner, repo)
  return sender.send(request, pending, read, (response, requestedAt) => {
    const result = parseRepositoryResponse(response, known, now())
    if (isUpstreamError(result)) throw sender.toAppError(request, pending, result)
    tokens.accept(request.tokenKey)
    if (result.kind === 'visible') {
      const { id, ...current } = result.repository
      // A repository may be requested by a name from before a rename.
      const nameKeys = [nameKey, repositoryNameKey(current.owner, current.name)]
      return { value: result, requestedAt, repositoryId: id, nameKeys }
    }
    const found = { requestedAt, repositoryId: null, nameKeys: [nameKey] }
    if (result.kind === 'sso_required') return { value: result, ...found }
    if (result.message !== null) {
      const fields = { owner, repo, request_id: requestId, github_message: forLog(result.message, token) }
      log.warn(fields, 'GitHub keeps a token from a repository; answered as if it were invisible')
    }
    return { value: { kind: 'invisible' }, ...found }
  })
}
