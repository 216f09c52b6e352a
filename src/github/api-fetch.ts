/** GitHub's answers about one repository are some 10 kB, and a file's contents at most 1 MiB in base64: more is nonsense. */
const maxBodyBytes = 2 * 1024 * 1024
const maxRedirects = 3

/**
 * A fetch for Octokit, with the whole body read before it returns (so that a body that stalls or breaks is a failure of
 * the question, which Octokit would turn into an empty body), and redirects followed to the API's own origin alone: the
 * token never goes to another host. Any other redirect is returned as it is, and so is every one of a `manual` question. Throws what `fetch` throws, and on a body over 2 MiB.
 */
export function createApiFetch(apiUrl: string): (url: string, init: RequestInit) => Promise<Response> {
  const { origin } = new URL(apiUrl)

  return async function apiFetch(url, init) {
    let target = url
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(target, { ...init, redirect: 'manual' })
      const follows = init.redirect !== 'manual' && redirects < maxRedirects
      const next = follows ? redirectTarget(response, target, origin, init.method) : null
      if (next === null) return await withBodyRead(response)
      await response.body?.cancel()
      target = next
    }
  }
}

/** Where to ask on, or null. A rename is a 301, and for other methods than GET a 307, the one that keeps the method. */
function redirectTarget(response: Response, from: string, origin: string, method: string | undefined): string | null {
  const followed = method === 'GET' ? [301, 302, 307, 308] : [307, 308]
  const location = response.headers.get('location')
  if (!followed.includes(response.status) || location === null || !URL.canParse(location, from)) return null
  const target = new URL(location, from)
  if (target.origin !== origin || target.username !== '' || target.password !== '') return null
  return target.href
}

async function withBodyRead(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.byteLength
      if (size > maxBodyBytes) throw new Error(`the answer is larger than ${maxBodyBytes} bytes`)
      chunks.push(chunk)
    }
  }
  // A Response with one of these statuses may not be made with a body, not even an empty one.
  const body = [101, 204, 205, 304].includes(response.status) ? null : Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers: response.headers })
}
