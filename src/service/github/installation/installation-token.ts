import { once } from 'node:events'
import type { Probot } from 'probot'
import { z } from 'zod'
import { errorToResponse, type GithubResponse } from '../github-response.ts'
import { isRateLimit } from '../rate-limits.ts'
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
 * Reads a token of the installation with these permissions from Octokit, which caches it. `refresh` makes a new one, and so
 * does a cached token that expires soon. Never throws.
 */
export async function readInstallationToken(
  probot: Probot,
  { installationId, permissions }: { installationId: number; permissions: Installation['permissions'] },
  { refresh, now, signal }: { refresh: boolean; now: Date; signal: AbortSignal | undefined },
): Promise<InstallationToken> {
  try {
    const octokit = await probot.auth()
    const authenticate = async (refresh: boolean) => {
      const authentication = octokit.auth({ type: 'installation', installationId, permissions, refresh })
      return Authentication.parse(await orAborted(authentication, signal))
    }
    const kept = await authenticate(refresh)
    const expiresSoon = Date.parse(kept.expiresAt) - marginMs <= now.getTime()
    const { token } = expiresSoon && !refresh ? await authenticate(true) : kept
    return { kind: 'token', token }
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
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  signal.throwIfAborted()
  const ended = new AbortController()
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => Promise.reject(signal.reason))
  return Promise.race([promise, aborted]).finally(() => ended.abort())
}
