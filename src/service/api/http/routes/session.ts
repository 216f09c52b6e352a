import { type Request, type RequestHandler, type Response, Router } from 'express'
import { z } from 'zod'
import { AppError } from '../../../../core/errors.ts'
import { returnPath } from '../../../../core/return-path.ts'
import type { GithubAccess } from '../../../github/access/access.ts'
import type { Log } from '../../../lib/log.ts'
import { validate } from '../../operations/validate.ts'
import { type CookieScope, clearCookie, setCookie } from '../../session/cookie.ts'
import { type Handover, handoverSeconds } from '../../session/handover.ts'
import type { Session, Sessions } from '../../session/sessions.ts'
import type { SlotOf } from '../limits/api-slots.ts'
import { bearerToken } from '../middleware/bearer-token.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { rawReader, readJson } from '../middleware/read-body.ts'
import { isSameOrigin, requireCookieScope } from '../middleware/same-origin.ts'
import { sendJson } from '../middleware/send-json.ts'
import { readSession } from '../middleware/session-cookie.ts'
import { errorPage } from './error-page.ts'

export interface SessionDeps {
  log: Log
  sessions: Sessions
  handover: Handover
  access: Pick<GithubAccess, 'accounts'>
  slotOf: SlotOf
  /** `HEADSUP_PUBLIC_URL` */
  publicUrl: string | undefined
  now(): Date
  /** How people can sign in here. */
  ways: readonly ('github' | 'token')[]
  /** Ends the token at GitHub, where it is one of our App. Never throws. */
  revoke(session: Session): Promise<void>
}

const SignIn = z.strictObject({ token: z.string() })
const Enter = z.strictObject({ code: z.string(), peek: z.boolean().optional() })

/** A longer token does not fit into a cookie. */
const longestToken = 2_048

/** A form has a token and a path, in bytes. */
const readFields = rawReader(16_384)

/** The paths below `/-/session`, which the page signs in and out with (docs/rules.md#sessions). */
export function sessionRouter(deps: SessionDeps): Router {
  const router = Router({ caseSensitive: true })
  router.use('/-/session', secureOnly(deps))
  const session = router.route('/-/session')
  session.get(async (request, response) => {
    sendState(deps, response, await readSession(request, deps))
  })
  session.post(async (request, response) => {
    assertSameOrigin(deps, request)
    const form = await readForm(deps, request, response)
    const { token } = form ?? validate(SignIn, await readBody(deps, request, response), 'body')
    const login = await loginOf(deps, request, response, token)
    const facts = { token, login, way: 'token' } as const
    if (!form) return await startSession(deps, response, facts)
    await setSession(deps, response, scopeIn(response), facts)
    response.redirect(303, form.to)
  })
  session.all(methodNotAllowed('GET, HEAD, POST'))
  router.route('/-/session/handover').post(handOver(deps)).all(methodNotAllowed('POST'))
  router.route('/-/session/enter').post(enter(deps)).all(methodNotAllowed('POST'))
  const end = router.route('/-/session/end')
  end.post(async (request, response) => {
    assertSameOrigin(deps, request)
    const ended = await readSession(request, deps)
    if (ended) await deps.sessions.signOut(ended)
    response.append('Set-Cookie', clearCookie('session', scopeIn(response)))
    if (ended) await deps.revoke(ended)
    response.status(204).end()
  })
  end.all(methodNotAllowed('POST'))
  router.use('/-/session', errorPage(deps.log))
  return router
}

/** Returns a code for the bearer token of the command line. No cookie counts here. */
function handOver(deps: SessionDeps): RequestHandler {
  return async (request, response) => {
    const token = bearerToken(request.headers.authorization)
    const login = await loginOf(deps, request, response, token)
    sendJson(response, { code: await deps.handover.codeFor({ token, login }), expires_in: handoverSeconds })
  }
}

function enter(deps: SessionDeps): RequestHandler {
  return async (request, response) => {
    assertSameOrigin(deps, request)
    const { code, peek } = validate(Enter, await readBody(deps, request, response), 'body')
    const handed = await deps.handover[peek ? 'peek' : 'use'](code)
    if (handed === null)
      throw new AppError('invalid_code', 'This code was used already, or it has expired. Get a new one.')
    const { token, login } = handed
    if (peek) sendJson(response, { login })
    else await startSession(deps, response, { token, login, way: 'handover' })
  }
}

function secureOnly({ publicUrl }: SessionDeps): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store')
    response.locals.scope = requireCookieScope(request, publicUrl)
    next()
  }
}

function scopeIn(response: Response): CookieScope {
  const scope: CookieScope = response.locals.scope
  return scope
}

function assertSameOrigin({ publicUrl }: SessionDeps, request: Request): void {
  if (isSameOrigin(request, requireCookieScope(request, publicUrl), publicUrl)) return
  throw new AppError('forbidden', 'Only the page of this service may send this request.')
}

/** Reads the body in a slot from the share of the client's address, since the account is not known yet. */
async function readBody({ slotOf }: SessionDeps, request: Request, response: Response): Promise<unknown> {
  const slot = slotOf(request, response, `address ${clientAddress(request)}`)
  return await slot.run(undefined, () => readJson(request, response))
}

/** What the form of the page holds; undefined for a request without a form. */
async function readForm({ slotOf }: SessionDeps, request: Request, response: Response) {
  if (!request.is('application/x-www-form-urlencoded')) return undefined
  const slot = slotOf(request, response, `address ${clientAddress(request)}`)
  const fields = new URLSearchParams((await slot.run(undefined, () => readFields(request, response))).toString())
  return { token: (fields.get('token') ?? '').trim(), to: returnPath(fields.get('to')) }
}

/** Reads the account of the token from GitHub. Throws the errors of the API for a token. */
export async function loginOf(deps: SessionDeps, request: Request, response: Response, token: string): Promise<string> {
  if (token.length > longestToken) throw new AppError('invalid_token', 'This token is too long for a session.')
  return await deps.access.accounts.loginOf({
    token,
    clientAddress: clientAddress(request),
    requestId: response.locals.requestId,
    waitForGithub: deps.slotOf(request, response, token).waitForGithub,
  })
}

type SessionFacts = Pick<Session, 'token' | 'login' | 'way'>

async function startSession(deps: SessionDeps, response: Response, facts: SessionFacts): Promise<void> {
  sendState(deps, response, await setSession(deps, response, scopeIn(response), facts))
}

/** Begins a session and sets its cookie. */
export async function setSession(
  { sessions, now }: SessionDeps,
  response: Response,
  scope: CookieScope,
  facts: SessionFacts,
  lifetimeMs?: number,
): Promise<Session> {
  const { session, sealed } = await sessions.begin(facts, lifetimeMs)
  const seconds = Math.ceil((session.endsAt.getTime() - now().getTime()) / 1000)
  response.append('Set-Cookie', setCookie('session', scope, sealed, seconds))
  return session
}

function sendState({ ways }: SessionDeps, response: Response, session: Session | null): void {
  sendJson(response, { login: session?.login ?? null, ends_at: session?.endsAt.toISOString() ?? null, ways })
}
