import { createHash } from 'node:crypto'
import { z } from 'zod'
import { addAccount } from '../build-data.ts'
import type { GithubData } from '../data.ts'
import { newSha } from '../ids.ts'
import { type Call, failure, invalid, notFound, type Reply, type Route } from '../route.ts'
import { addToken } from '../tokens.ts'

const base = '/login/oauth'

/** GitHub's web flow of an App: signing in with PKCE, and revoking the token. These calls count against no limit here. */
export const oauthRoutes: readonly Route[] = [
  { method: 'GET', path: `${base}/authorize`, handle: authorize },
  { method: 'POST', path: `${base}/access_token`, handle: createUserToken },
  { method: 'DELETE', path: '/applications/{client_id}/token', handle: revokeToken },
]

export function isOauthPath(pathname: string): boolean {
  return /^\/(login|applications)\//.test(pathname)
}

export function clientIdOf({ app }: Pick<GithubData, 'app'>): string {
  return `Iv23li${app.id}`
}

/** The person of `signsIn` agrees at once; nobody refuses. */
function authorize({ data, url: { searchParams: asked } }: Call): Reply {
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (asked.get('client_id') !== clientIdOf(data) || !URL.canParse(redirectUri)) return notFound()
  const target = new URL(redirectUri)
  const login = data.signsIn
  if (login === null) {
    target.searchParams.set('error', 'access_denied')
  } else {
    const code = newSha().slice(0, 20)
    const challenge = asked.get('code_challenge_method') === 'S256' ? asked.get('code_challenge') : null
    data.oauthCodes.set(code, { login, redirectUri, challenge })
    target.searchParams.set('code', code)
  }
  target.searchParams.set('state', asked.get('state') ?? '')
  return { status: 302, headers: { location: target.href } }
}

const Exchange = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().optional(),
})

/** GitHub answers every error here with status 200. A code works once, whether the rest is right or not. */
function createUserToken({ data, body }: Call): Reply {
  const refused = (error: string): Reply => ({
    status: 200,
    body: { error, error_description: 'See the documentation.' },
  })
  const asked = Exchange.safeParse(body)
  const isClient = asked.data?.client_id === clientIdOf(data) && asked.data.client_secret === data.app.clientSecret
  if (!asked.success || !isClient) return refused('incorrect_client_credentials')
  const { code, redirect_uri, code_verifier } = asked.data
  const granted = data.oauthCodes.get(code)
  data.oauthCodes.delete(code)
  if (granted === undefined || !verifies(granted.challenge, code_verifier)) return refused('bad_verification_code')
  if (granted.redirectUri !== redirect_uri) return refused('redirect_uri_mismatch')
  addAccount(data, granted.login)
  const seconds = 28_800
  const { token } = addToken(data, `ghu_${newSha()}`, granted.login, {
    grants: data.app.permissions,
    expiresAt: data.now() + seconds * 1_000,
  })
  const refresh = { refresh_token: `ghr_${newSha()}`, refresh_token_expires_in: 15_897_600 }
  return {
    status: 200,
    body: { access_token: token, expires_in: seconds, ...refresh, scope: '', token_type: 'bearer' },
  }
}

function verifies(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  )
}

const Revoked = z.object({ access_token: z.string() })

function revokeToken({ data, headers, params, body }: Call): Reply {
  const credentials = `${clientIdOf(data)}:${data.app.clientSecret}`
  const isClient = headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`
  if (!isClient || params.client_id !== clientIdOf(data)) return failure(401, 'Bad credentials')
  const { access_token: token = '' } = Revoked.safeParse(body).data ?? {}
  if (!token.startsWith('ghu_')) return invalid('Validation Failed')
  return data.tokens.delete(token) ? { status: 204 } : notFound()
}
