import { type Request, type RequestHandler, type Response, Router } from 'express'
import { z } from 'zod'
import { AppError } from '../../../core/errors.ts'
import { canBeToken } from '../../../core/names.ts'
import { invalidToken } from '../../github/access-errors.ts'
import type { Log } from '../../log.ts'
import { bytesOf, parseJson, readBody } from '../body.ts'
import { addressOf, bearerToken, type ReadCredentials } from '../caller.ts'
import { parse } from '../operation.ts'
import { aMinute } from '../request.ts'
import { only } from '../router.ts'
import { createCookies } from './cookie.ts'
import { accountOf, authorizeUrl, exchange, type GithubClient, randomText, revoke } from './github.ts'
import { createSeal } from './seal.ts'

export interface SignInParts {
  key: Uint8Array
  /** Null: nobody can sign in by GitHub's page. */
  oauth: { clientId: string; clientSecret: string } | null
  publicUrl: string | null
  githubServerUrl: string
  githubApiUrl: string
  log: Log
}

const sessionMs = 28_800_000
const signInMs = 600_000
/** A longer token does not fit into a cookie. */
const longestToken = 2_048
/** Attempts of an address within a minute: each asks GitHub. */
const mostAttempts = 30

const Session = z.object({ token: z.string(), login: z.string().nullable(), is_ours: z.boolean() })
type Session = z.output<typeof Session>
const SignIn = z.object({ state: z.string(), verifier: z.string(), to: z.string() })
const Pasted = z.strictObject({ token: z.string() })

/** The start page, or the page of a repository: never another site. */
export function returnPath(to: unknown): string {
  return typeof to === 'string' && /^\/[\w-]{1,100}\/[\w.-]{1,100}$/.test(to) ? to : '/'
}

/** Sessions of people in a browser: nothing of them is kept but the cookie. */
export function createSignIn({ key, oauth, publicUrl, githubServerUrl, githubApiUrl, log }: SignInParts) {
  const seal = createSeal(key)
  const cookies = createCookies(publicUrl)
  const client: GithubClient | null =
    oauth && publicUrl !== null
      ? {
          ...{ ...oauth, serverUrl: githubServerUrl, apiUrl: githubApiUrl, log },
          redirectUri: `${publicUrl}/-/callback`,
        }
      : null
  const ways = client ? ['github', 'token'] : ['token']

  /** Of our own page alone, and never beside a token that was sent. */
  async function sessionOf(request: Request): Promise<Session | null> {
    if (!isOwnPage(request) || request.get('authorization') !== undefined) return null
    return seal.open('session', Session, cookies.read(request, 'session'))
  }

  async function begin(request: Request, response: Response, session: Session, ms = sessionMs): Promise<void> {
    const lives = Math.min(ms, sessionMs)
    cookies.set(request, response, 'session', await seal.seal('session', session, lives), lives)
  }

  function send(request: Request, response: Response, session: Session | null): void {
    response.set('Cache-Control', 'no-store').json({
      ...{ signed_in: session !== null, login: session?.login ?? null },
      ways: cookies.isPossible(request) ? ways : [],
    })
  }

  /** The token that was sent, else that of the session: `sessionOf` gives none beside a token. */
  const credentials: ReadCredentials = async (request) => {
    const session = await sessionOf(request)
    return session ? { token: session.token, isSession: true } : { token: bearerToken(request), isSession: false }
  }

  const limit = aMinute(mostAttempts, 'attempts to sign in', addressOf)
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/-/session', async (request, response) => send(request, response, await sessionOf(request)))
  router.post('/-/session', ownPage, limit, readBody('1mb'), async (request, response) => {
    const token = parse(Pasted, parseJson(bytesOf(request))).token.trim()
    if (!canBeToken(token) || token.length > longestToken) throw invalidToken()
    const session = { token, login: await accountOf(token, githubApiUrl), is_ours: false }
    await begin(request, response, session)
    send(request, response, session)
  })
  router.delete('/-/session', ownPage, async (request, response) => {
    const session = await sessionOf(request)
    cookies.set(request, response, 'session', '', 0)
    if (session?.is_ours && client) await revoke(client, session.token)
    send(request, response, null)
  })
  router.all('/-/session', only(['GET', 'HEAD', 'POST', 'DELETE']))
  // A HEAD would begin a sign-in, or use a code up.
  for (const path of ['/-/sign-in', '/-/callback']) router.head(path, only(['GET']))
  router.get('/-/sign-in', limit, async (request, response) => {
    const { to } = request.query
    if (!client) throw new AppError('not_found', 'Signing in by GitHub is not set up here.')
    const home = new URL(client.redirectUri)
    // The cookie has to be there when GitHub leads back to the public address.
    if (request.get('host') !== home.host)
      return response.redirect(302, `${home.origin}/-/sign-in?${new URLSearchParams({ to: returnPath(to) })}`)
    const claims = { state: randomText(), verifier: randomText(), to: returnPath(to) }
    cookies.set(request, response, 'sign-in', await seal.seal('sign-in', claims, signInMs), signInMs)
    response.set('Cache-Control', 'no-store').redirect(302, authorizeUrl(client, claims.state, claims.verifier))
  })
  router.get('/-/callback', limit, async (request, response) => {
    if (!client) throw new AppError('not_found', 'Signing in by GitHub is not set up here.')
    const begun = await seal.open('sign-in', SignIn, cookies.read(request, 'sign-in'))
    // The address holds a code.
    response.set({ 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' })
    cookies.set(request, response, 'sign-in', '', 0)
    const { state, code, error } = request.query
    if (begun === null || state !== begun.state)
      throw new AppError(
        'sign_in_failed',
        'This answer of GitHub belongs to no sign-in of this browser. Sign in again.',
      )
    if (typeof code !== 'string')
      throw new AppError('sign_in_failed', error === 'access_denied' ? 'You did not agree.' : 'GitHub sent no code.')
    const { token, seconds = sessionMs / 1_000 } = await exchange(client, code, begun.verifier)
    const session = { token, login: await accountOf(token, githubApiUrl), is_ours: true }
    await begin(request, response, session, seconds * 1_000)
    response.redirect(302, begun.to)
  })
  router.all(['/-/sign-in', '/-/callback'], only(['GET']))
  return { credentials, router }
}

/** Every browser says it since 2023. A page on another port of this host is `same-site`, and sends our cookies too. */
function isOwnPage(request: Request): boolean {
  return request.get('sec-fetch-site') === 'same-origin'
}

const ownPage: RequestHandler = (request, _response, next) => {
  if (!isOwnPage(request)) throw new AppError('forbidden', 'Only the page of this service may send this.')
  next()
}
