import { repositoryNameKey } from '../../../core/repository-names.ts'
import type { AccessSender, CheckedRequest } from './access-sender.ts'
import type { GithubClient } from './caller-client.ts'
import type { LookUp } from './look-up.ts'
import { isUpstreamError, parseWriteResponse, type VisibleRepository } from './parse-access-response.ts'
import type { TokenGuard } from './token-guard.ts'

const mayWriteMs = 600_000
const mayNotWriteMs = 60_000

/** For how long an answer holds, whatever the operator sets for other permissions. */
export const writeMs = (mayWrite: boolean) => (mayWrite ? mayWriteMs : mayNotWriteMs)

/**
 * Returns a function that says whether a token may write although its `permissions` do not say so. It sends a request that
 * needs `contents: write` and saves nothing (docs/rules.md#write-probe), which is expensive, so it is only used for writes. It throws
 * AppError if GitHub gives no result.
 */
export function createWriteProbe(options: {
  client: GithubClient
  lookUp: LookUp<boolean>
  guard: TokenGuard
  sender: AccessSender
  now: () => number
}): (request: CheckedRequest, repository: VisibleRepository) => Promise<boolean> {
  const { client, lookUp, guard, sender, now } = options

  return async function mayWrite(request, repository) {
    const { token, tokenKey, address } = request
    const { id, owner, name: repo, defaultBranch } = repository
    const known = lookUp.known(tokenKey, id)
    if (known?.isFresh) return known.value
    guard.check(tokenKey, [address])
    const send = () => client.generateNotes({ token, owner, repo, defaultBranch })
    return await request.waitForGithub(() =>
      lookUp.ask({ tokenKey, repository: id, address }, (pending) =>
        sender.send(request, pending, send, (response, requestedAt) => {
          const result = parseWriteResponse(response, now())
          if (isUpstreamError(result)) throw sender.toAppError(request, pending, result)
          const value = result.kind === 'may_write'
          return { value, requestedAt, repositoryId: id, nameKeys: [repositoryNameKey(owner, repo)] }
        }),
      ),
    )
  }
}
