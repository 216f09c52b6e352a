import type { Probot } from 'probot'
import { z } from 'zod'
import { isRateLimit } from '../access/parse-access-response.ts'
import { errorToResponse, type GithubResponse } from '../github-response.ts'
import { type Installation, temporaryFailure } from './installations.ts'
import { refusedAppReason } from './refused-app.ts'

/** `not_granted`: the owner grants less than the token asks for. */
export type InstallationToken =
  | { kind: 'token'; token: string }
  | { kind: 'not_installed' }
  | { kind: 'not_granted' }
  | GithubResponse

const Authentication = z.object({ token: z.string().min(1), expiresAt: z.string() })

/** A token is not used in the last part of its hour, in ms: it must not expire during a request. */
const marginMs = 120_000

/**
 * Reads a token of the installation from Probot, which caches it. `refresh` makes a new one, and so does a cached token
 * that expires soon. Never throws.
 */
export async function readInstallationToken(
  probot: Probot,
  { id: installationId, permissions }: Installation,
  { refresh, now, signal }: { refresh: boolean; now: Date; signal: AbortSignal | undefined },
): Promise<InstallationToken> {
  const octokit = await probot.auth()
  const authenticate = async (refresh: boolean) => {
    const authentication = octokit.auth({ type: 'installation', installationId, permissions, refresh })
    return Authentication.safeParse(await orAborted(authentication, signal))
  }
  try {
    let read = await authenticate(refresh)
    if (!refresh && read.success && Date.parse(read.data.expiresAt) - marginMs <= now.getTime()) {
      read = await authenticate(true)
    }
    if (!read.success) return { kind: 'failure', reason: 'an access token without a token' }
    return { kind: 'token', token: read.data.token }
  } catch (error) {
    return readFailure(errorToResponse(error, signal), now)
  }
}

function readFailure(response: GithubResponse, now: Date): InstallationToken {
  if (response.kind === 'response') {
    if (response.status === 401) return { kind: 'failure', reason: refusedAppReason(response, now) }
    if ([403, 404].includes(response.status) && !isRateLimit(response)) return { kind: 'not_installed' }
    if (response.status === 422) return { kind: 'not_granted' }
  }
  return temporaryFailure(response)
}

/** Rejects as soon as the signal is aborted. The promise goes on, since other requests may wait for the same token. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
}
