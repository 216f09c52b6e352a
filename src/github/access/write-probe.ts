import { createCoalescer } from '../../lib/coalesce.ts'
import { repositoryNameKey } from '../names.ts'
import type { GithubClient } from './caller-client.ts'
import { isUpstreamError, parseWriteResponse, type VisibleRepository } from './parse-access-response.ts'
import type { PermissionCache } from './permission-cache.ts'
import type { AccessSender, CheckedRequest } from './send-access-request.ts'
import type { TokenGuard } from './token-guard.ts'

export interface WriteProbe {
  /** Whether a token may write although its `permissions` do not say so. Throws AppError if GitHub gives no result. */
  mayWrite(request: CheckedRequest, repository: VisibleRepository): Promise<boolean>
  /** Marks the pending requests (of that token, or all) as outdated. */
  invalidate(tokenKey?: string): void
}

/**
 * Sends a request that needs `contents: write` and saves nothing (docs/rules.md#write-probe). It is expensive, so it is only
 * used for writes.
 */
export function createWriteProbe(options: {
  client: GithubClient
  cache: PermissionCache
  guard: TokenGuard
  sender: AccessSender
  now: () => number
}): WriteProbe {
  const { client, cache, guard, sender, now } = options
  const probes = createCoalescer<boolean, string>()

  function probe(request: CheckedRequest, repository: VisibleRepository): Promise<boolean> {
    const { token, tokenKey, address } = request
    const { id: repositoryId, owner, name: repo, defaultBranch } = repository
    const nameKey = repositoryNameKey(owner, repo)
    const send = () => client.generateNotes({ token, owner, repo, defaultBranch })
    return probes.run(
      `${tokenKey} ${repositoryId}`,
      (pending) =>
        sender.send(request, pending, send, (response, requestedAt) => {
          const result = parseWriteResponse(response, now())
          if (isUpstreamError(result)) throw sender.toAppError(request, pending, result)
          const mayWrite = result.kind === 'may_write'
          if (pending.isCurrent) cache.saveWrite({ tokenKey, nameKey, repositoryId, mayWrite, requestedAt })
          return mayWrite
        }),
      address,
    )
  }

  return {
    async mayWrite(request, repository) {
      const cached = cache.mayWrite(request.tokenKey, repository.id)
      if (cached !== null) return cached
      guard.check(request.tokenKey, [request.address])
      return await request.waitForGithub(() => probe(request, repository))
    },
    invalidate(tokenKey) {
      probes.invalidate((key) => tokenKey === undefined || key.startsWith(`${tokenKey} `))
    },
  }
}
