import type { Request, RequestHandler } from 'express'
import { cookieName, readCookie } from '../../session/cookie.ts'
import type { Session, Sessions } from '../../session/sessions.ts'
import { cookieScopeOf, isSameOrigin } from './same-origin.ts'

/** Reads the session of a request of our own page; null without one. A request with `Authorization` has none. */
export async function readSession(
  request: Request,
  { sessions, publicUrl }: { sessions: Sessions; publicUrl: string | undefined },
): Promise<Session | null> {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined || cookie === undefined) return null
  const scope = cookieScopeOf(request, publicUrl)
  if (scope === null || !isSameOrigin(request, scope, publicUrl)) return null
  const sealed = readCookie(cookie, cookieName('session', scope))
  return sealed === null ? null : await sessions.open(sealed)
}

/**
 * Lets the cookie of a session count as its token (docs/rules.md#sessions). It sets `Authorization`, so that everything behind
 * it treats the request as one with that token. It has to be mounted on the API alone.
 */
export function sessionCookie(sessions: Sessions, publicUrl: string | undefined): RequestHandler {
  return async (request, response, next) => {
    const session = await readSession(request, { sessions, publicUrl })
    if (session) {
      request.headers.authorization = `Bearer ${session.token}`
      response.locals.session = session
    }
    next()
  }
}
