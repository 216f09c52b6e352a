import { withTimeLimit } from '../lib/with-time-limit.ts'
import { NoAnswer } from './no-answer.ts'

/** A repository is some 10 kB. The contents of a file are at most 1 MiB in base 64. */
const maxBodyBytes = 2 * 1024 * 1024
/** 100 pull requests have some 2 MB, with long descriptions more, and 100 files have their patches. */
const maxPullsBodyBytes = 16 * 1024 * 1024
const maxRedirects = 3

/**
 * Creates a fetch for Octokit. One request, redirects and body included, ends after `timeLimitMs`.
 *
 * It reads the whole body before it returns: Octokit would turn a body that breaks off into an empty one. It follows
 * redirects to the API's own origin only, so that no token goes to another host. Any other redirect is returned as it is, and
 * so is every redirect of a `manual` request. Throws `NoAnswer`, also on a body over 2 MiB, or 16 MiB of pull requests, and
 * the reason of an aborted signal.
 */
export function createApiFetch(
  apiUrl: string,
  timeLimitMs: number,
): (url: string, init: RequestInit) => Promise<Response> {
  const { origin } = new URL(apiUrl)

  return async function apiFetch(url, init) {
    const limit = { ms: timeLimitMs, reason: `no answer within ${timeLimitMs} ms`, outer: init.signal }
    try {
      return await withTimeLimit(limit, (signal) => fetchAll(url, { ...init, signal }, origin))
    } catch (error) {
      throw init.signal?.aborted ? error : new NoAnswer(apiUrl, error)
    }
  }
}

async function fetchAll(url: string, init: RequestInit, origin: string): Promise<Response> {
  let target = url
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(target, { ...init, redirect: 'manual' })
    const follows = init.redirect !== 'manual' && redirects < maxRedirects
    const next = follows ? redirectTarget(response, target, origin, init.method) : null
    if (next === null) return await withBodyRead(response, maxBodyBytesOf(target))
    await response.body?.cancel()
    target = next
  }
}

/** The URL to follow, or null. GitHub redirects a renamed repository with 301, or with 307 for methods other than GET. */
function redirectTarget(response: Response, from: string, origin: string, method: string | undefined): string | null {
  const followed = method === 'GET' ? [301, 302, 307, 308] : [307, 308]
  const location = response.headers.get('location')
  if (!followed.includes(response.status) || location === null || !URL.canParse(location, from)) return null
  const target = new URL(location, from)
  if (target.origin !== origin || target.username !== '' || target.password !== '') return null
  return target.href
}

function maxBodyBytesOf(url: string): number {
  return /\/pulls(\/\d+(\/(files|commits))?)?$/.test(new URL(url).pathname) ? maxPullsBodyBytes : maxBodyBytes
}

async function withBodyRead(response: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.byteLength
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  }
  // The constructor of Response throws for these statuses with any body, even an empty one.
  const body = [101, 204, 205, 304].includes(response.status) ? null : Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers: response.headers })
}
