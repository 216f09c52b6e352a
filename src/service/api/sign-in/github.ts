import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../core/errors.ts'
import { refusalOf } from '../../github/access-errors.ts'
import { octokitOf } from '../../github/octokit.ts'
import { type Log, safely } from '../../log.ts'

/** The client of the GitHub App, with which people sign in. */
export interface GithubClient {
  clientId: string
  clientSecret: string
  serverUrl: string
  apiUrl: string
  /** GitHub leads people back to it. */
  redirectUri: string
  log: Log
}

/** GitHub answers errors with status 200 too. */
const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional() })
const Refused = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) })

export const randomText = () => randomBytes(32).toString('base64url')

/** GitHub's page on which somebody agrees, with PKCE: a stolen code is worth nothing without the verifier. */
export function authorizeUrl(
  { clientId, serverUrl, redirectUri }: GithubClient,
  state: string,
  verifier: string,
): string {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { client_id: clientId, redirect_uri: redirectUri, state, code_challenge: challenge }
  return `${serverUrl}/login/oauth/authorize?${new URLSearchParams({ ...asked, code_challenge_method: 'S256' })}`
}

/** Throws `sign_in_failed`, `github_unavailable`. */
export async function exchange(client: GithubClient, code: string, verifier: string) {
  const { clientId, clientSecret, serverUrl, redirectUri, log } = client
  const ours = { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri }
  const headers = { accept: 'application/json' }
  const answer = await octokitOf('', serverUrl)
    .request('POST /login/oauth/access_token', { ...ours, code, code_verifier: verifier, headers })
    .catch((error: unknown) => {
      throw noAnswer(error)
    })
  const granted = Granted.safeParse(answer.data)
  if (granted.success) return { token: granted.data.access_token, seconds: granted.data.expires_in }
  const refused = Refused.safeParse(answer.data)
  if (!refused.success) throw noAnswer(new Error('a response without an access_token'))
  const { error } = refused.data
  if (error === 'bad_verification_code')
    throw new AppError('sign_in_failed', 'The code from GitHub is no longer valid. Sign in again.')
  log.warn({ error }, 'GitHub refuses the client that people sign in with')
  throw new AppError('sign_in_failed', `GitHub refuses the client of this service (${error}). Tell its operator.`)
}

/** Ends a token that GitHub issued for this client. Never throws: 404 says that it ended before. */
export async function revoke({ clientId, clientSecret, apiUrl, log }: GithubClient, token: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const asked = { client_id: clientId, access_token: token, headers: { authorization } }
  await octokitOf('', apiUrl)
    .rest.apps.deleteToken(asked)
    .catch((error: unknown) => {
      const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
      if (status !== 404) log.warn(safely(error), 'GitHub did not revoke the token of a session')
    })
}

/** The account of a token; null for one of an installation, which has none. Throws why GitHub does not take it. */
export async function accountOf(token: string, apiUrl: string): Promise<string | null> {
  try {
    return (await octokitOf(token, apiUrl).rest.users.getAuthenticated()).data.login
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.code === 'not_found') return null
    throw refusal
  }
}

function noAnswer(cause: unknown): AppError {
  return new AppError('github_unavailable', 'Nobody was signed in: GitHub does not answer as it should.', { cause })
}
