import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Where the set-up page is: `origin` as a browser writes it, and the random first part of every path. */
export interface Address {
  origin: string
  secret: string
}

/** GitHub leads the browser here with the code of the registered App. */
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
  message: 'Another web page led here, which is refused. Copy the address from the terminal into the address bar.',
}

/**
 * Why a request is refused; undefined where it may go on. Other host names are refused because a foreign page can point its own
 * name at this machine (DNS rebinding). Then the path has to hold the secret, and the request has to come from the page itself.
 */
export function refusalOf(request: GuardedRequest, own: Address): Refusal | undefined {
  const { method, headers } = request
  if (headers.host !== new URL(own.origin).host)
    return { status: 421, message: 'Open the address that the terminal shows.' }
  if (!isEqual(request.path.split('/')[1] ?? '', own.secret))
    return { status: 404, message: 'Not found. The address of the set-up page is in the terminal.' }
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Only GET and POST are answered.' }
  if (isForeign(request, own)) return foreignPage
  return undefined
}

/** Browsers send `Origin` with every POST, and `Sec-Fetch-Site` since 2023 with everything. */
function isForeign(request: GuardedRequest, own: Address): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (origin === undefined ? request.method === 'POST' : origin !== own.origin) return true
  if (site === 'same-origin') return false
  // Only a person opens an address without any site: typed, or followed from the terminal.
  if (site === 'none') return request.method === 'POST'
  return !isReturnFromGithub(request, own)
}

/** The browser comes back from GitHub's page. `state` says whether it was sent from here. */
function isReturnFromGithub({ method, path, headers }: GuardedRequest, { secret }: Address): boolean {
  const isPage = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return method === 'GET' && isPage && path === `/${secret}${callbackPath}`
}

/** Compares two secrets in a time that says nothing about them but their length. */
export function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
