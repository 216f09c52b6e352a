import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The address of the set-up page: `origin` as a browser writes it, and the random first segment of every path. */
export interface Address {
  origin: string
  secret: string
}

/** GitHub redirects the browser to this path with the code of the registered App. */
export const callbackPath = '/setup'

interface Refusal {
  status: number
  message: string
}

interface GuardedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
}

const foreignPage: Refusal = {
  status: 403,
  message: 'Requests from other web pages are refused. Copy the address from the terminal into the address bar.',
}

/**
 * Returns why a request is refused, or undefined. Other host names are refused because another web page can point its own
 * host name at this machine (DNS rebinding). The path has to begin with the secret, and the request has to come from the
 * set-up page (docs/rules.md#set-up).
 */
export function refusalOf(request: GuardedRequest, own: Address): Refusal | undefined {
  const { method, headers } = request
  if (headers.host !== new URL(own.origin).host)
    return { status: 421, message: 'Open the address that the terminal shows.' }
  if (!isEqual(request.path.split('/')[1] ?? '', own.secret))
    return { status: 404, message: 'Not found. The address of the set-up page is in the terminal.' }
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Only GET and POST are allowed.' }
  if (isForeign(request, own)) return foreignPage
  return undefined
}

/** Browsers send `Origin` with every POST. Since 2023 they send `Sec-Fetch-Site` with every request. */
function isForeign(request: GuardedRequest, own: Address): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (origin === undefined ? request.method === 'POST' : origin !== own.origin) return true
  if (site === 'same-origin') return false
  // A person typed the address, or opened it from the terminal.
  if (site === 'none') return request.method === 'POST'
  return !isReturnFromGithub(request, own)
}

/** Whether GitHub redirected the browser here. `state` shows whether this set-up sent it there. */
function isReturnFromGithub({ method, path, headers }: GuardedRequest, { secret }: Address): boolean {
  const isPage = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return method === 'GET' && isPage && path === `/${secret}${callbackPath}`
}

/** Compares two secrets in a time that depends only on their lengths. */
export function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
