import { isIP } from 'node:net'
import type { Request, RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'
import { AppError } from '../../../../core/errors.ts'
import type { CookieScope } from '../../session/cookie.ts'

/**
 * Where the browser reaches the service; null over plain HTTP at another than a loopback address
 * (docs/rules.md#sessions). A trusted proxy sets `X-Forwarded-Proto`. Without it, the scheme of `HEADSUP_PUBLIC_URL`
 * counts for its own host, unless the `Origin` of the request differs.
 */
export function cookieScopeOf(request: Request, publicUrl: string | undefined): CookieScope | null {
  if (request.secure) return 'tls'
  const { host = '', origin, 'x-forwarded-proto': forwarded } = request.headers
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isPublic = known?.protocol === 'https:' && known.host === host.toLowerCase()
  if (isPublic && (forwarded ?? 'https') === 'https' && (origin ?? known.origin) === known.origin) return 'tls'
  const port = loopbackPort(`http://${host}`)
  const isLoopback = port !== undefined && (origin === undefined || loopbackPort(origin) !== undefined)
  return isLoopback ? { port } : null
}

/** The same; throws `insecure` instead of null. */
export function requireCookieScope(request: Request, publicUrl: string | undefined): CookieScope {
  const scope = cookieScopeOf(request, publicUrl)
  if (scope !== null) return scope
  throw new AppError('insecure', 'Signing in needs HTTPS. Plain HTTP is possible on a loopback address only.')
}

/** The port of a URL whose host is this machine; undefined for any other. */
function loopbackPort(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  const name = hostname.replace(/^\[(.+)\]$/, '$1')
  const isLoopback =
    isIP(name) === 0 ? name === 'localhost' || name.endsWith('.localhost') : ipaddr.process(name).range() === 'loopback'
  return isLoopback ? port || '80' : undefined
}

/**
 * Whether the request comes from our own page. Browsers send `Sec-Fetch-Site`. A page on another port of this host is
 * `same-site`, and sends our cookies. Older browsers send only `Origin`. Without either the result is false.
 */
export function isSameOrigin({ headers }: Request, scope: CookieScope, publicUrl: string | undefined): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined) return false
  const own = `${scope === 'tls' ? 'https' : 'http'}://${host?.toLowerCase()}`
  return origin === own || (publicUrl !== undefined && origin === new URL(publicUrl).origin)
}

/**
 * A form of our own page says `Origin: null`, since the page sends no referrer. Where the browser says itself that the form is
 * ours, the request counts as one without an origin.
 */
export const ownForm: RequestHandler = ({ headers }, _response, next) => {
  if (headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin') delete headers.origin
  next()
}
