import type { Refusal } from '../model/problem.ts'

export type ApiResponse<Body> =
  | { ok: true; status: number; body: Body; etag: string | null }
  /** Undefined where the service could not be reached. */
  | { ok: false; refusal: Refusal | undefined; details: readonly FieldFault[] }

export interface FieldFault {
  field: string
  message: string
}

interface SendOptions {
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Sends a request to our own service. Never throws. */
export async function send<Body>(method: string, url: string, options: SendOptions = {}): Promise<ApiResponse<Body>> {
  const { body, headers, signal } = options
  try {
    const response = await fetch(url, {
      method,
      cache: 'no-store',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (!response.ok && response.status !== 304) return { ok: false, ...(await readRefusal(response)) }
    const text = response.status === 204 || response.status === 304 ? '' : await response.text()
    const content = text === '' ? undefined : JSON.parse(text)
    return { ok: true, status: response.status, body: content, etag: response.headers.get('etag') }
  } catch {
    return { ok: false, refusal: undefined, details: [] }
  }
}

/** The error in a response. An error of a proxy has no code. */
export async function readRefusal(response: Response): Promise<{ refusal: Refusal; details: readonly FieldFault[] }> {
  const { error = {} } = await response.json().catch(() => ({}))
  return {
    refusal: {
      status: response.status,
      code: String(error.code ?? ''),
      message: String(error.message ?? ''),
      retryAfter: response.headers.get('retry-after'),
      sso: response.headers.get('x-github-sso'),
    },
    details: Array.isArray(error.details) ? error.details : [],
  }
}

export function apiPath(owner: string, repo: string, path: string): string {
  return `/api/v1/repos/${owner}/${repo}${path}`
}

/** Who is signed in, and the ways to sign in. */
export interface BrowserSession {
  login: string | null
  ends_at: string | null
  ways: readonly ('github' | 'token')[]
}

export function fetchSession(): Promise<ApiResponse<BrowserSession>> {
  return send('GET', '/-/session')
}

/** The person of a code of `headsup open`. Does not start a session. */
export function peekCode(code: string): Promise<ApiResponse<{ login: string }>> {
  return send('POST', '/-/session/enter', { body: { code, peek: true } })
}

export function signInWithCode(code: string): Promise<ApiResponse<BrowserSession>> {
  return send('POST', '/-/session/enter', { body: { code } })
}

export function signOut(): Promise<ApiResponse<undefined>> {
  return send('POST', '/-/session/end')
}
