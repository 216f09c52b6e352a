import { type Request, type Response, Router } from 'express'
import { AppError } from '../../../../core/errors.ts'
import { type CookieScope, clearCookie, cookieName, readCookie, setCookie } from '../../session/cookie.ts'
import { signInSeconds, type WebFlow } from '../../session/web-flow.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { requireCookieScope } from '../middleware/same-origin.ts'
import { errorPage } from './error-page.ts'
import { loginOf, type SessionDeps, setSession } from './session.ts'

export interface SignInDeps extends SessionDeps {
  webFlow: WebFlow | undefined
}

/**
 * `/-/sign-in` redirects to GitHub, which redirects to `/-/callback` (docs/rules.md#sessions). Errors are small pages.
 */
export function signInRouter(deps: SignInDeps): Router {
  const router = Router({ caseSensitive: true })
  router
    .route('/-/sign-in')
    .head(methodNotAllowed('GET'))
    .get(async (request, response) => {
      const { scope, webFlow, parameter } = open(deps, request, response)
      const { url, sealed } = await webFlow.begin({ to: parameter('to') ?? '/', isAgain: parameter('again') === '1' })
      response.append('Set-Cookie', setCookie('sign-in', scope, sealed, signInSeconds))
      response.redirect(302, url)
    })
    .all(methodNotAllowed('GET'))
  router
    .route('/-/callback')
    // A HEAD would use up the code.
    .head(methodNotAllowed('GET'))
    .get(async (request, response) => {
      const { scope, webFlow, parameter } = open(deps, request, response)
      const sealed = readCookie(request.headers.cookie, cookieName('sign-in', scope))
      response.append('Set-Cookie', clearCookie('sign-in', scope))
      const [state, code, error] = [parameter('state'), parameter('code'), parameter('error')]
      const finished = await webFlow.finish({ sealed, state, code, error })
      if (finished.kind === 'again') {
        response.redirect(302, `/-/sign-in?${new URLSearchParams({ to: finished.to, again: '1' })}`)
        return
      }
      const { token, lifetimeMs, to } = finished
      const login = await loginOf(deps, request, response, token)
      await setSession(deps, response, scope, { token, login, way: 'github' }, lifetimeMs)
      response.redirect(302, to)
    })
    .all(methodNotAllowed('GET'))
  router.use(['/-/sign-in', '/-/callback'], errorPage(deps.log))
  return router
}

/** What both paths need. Throws `insecure`, and `not_found` where the web flow is not configured. */
function open({ publicUrl, webFlow }: SignInDeps, request: Request, response: Response) {
  // The address of the callback has GitHub's code.
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cache-Control', 'no-store')
  const scope: CookieScope = requireCookieScope(request, publicUrl)
  if (!webFlow) throw new AppError('not_found', 'Signing in with GitHub is not configured on this service.')
  const parameters = new URL(request.originalUrl, 'http://headsup').searchParams
  /** The value of a parameter; null where it is missing, or there twice. */
  const parameter = (name: string): string | null => {
    const values = parameters.getAll(name)
    return values.length === 1 ? (values[0] ?? null) : null
  }
  return { scope, webFlow, parameter }
}
