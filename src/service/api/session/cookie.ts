/** Where a browser reaches the service: over TLS, or over plain HTTP on a loopback address with this port. */
export type CookieScope = 'tls' | { port: string }

export type CookieKind = 'session' | 'sign-in'

/** A cookie of a secure page has the prefix that keeps other hosts and plain HTTP from setting it. */
export function cookieName(kind: CookieKind, scope: CookieScope): string {
  const name = scope === 'tls' ? '__Host-headsup' : `headsup-${scope.port}`
  return kind === 'session' ? name : `${name}-sign-in`
}

/** The value of `Set-Cookie`. The cookie of a session is strict; that of a sign-in has to come back with GitHub's redirect. */
export function setCookie(kind: CookieKind, scope: CookieScope, value: string, maxAgeSeconds: number): string {
  const secure = scope === 'tls' ? '; Secure' : ''
  const sameSite = kind === 'session' ? 'Strict' : 'Lax'
  return `${cookieName(kind, scope)}=${value}; HttpOnly${secure}; SameSite=${sameSite}; Path=/; Max-Age=${maxAgeSeconds}`
}

export function clearCookie(kind: CookieKind, scope: CookieScope): string {
  return setCookie(kind, scope, '', 0)
}

/** The value of a cookie in the `Cookie` header; null where it is missing, or there twice: one of the two is not ours. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}
