import type { RepositoryOfPage } from '../../core/page-paths.ts'
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
    const { status } = response
    if (!response.ok && status !== 304) return { ok: false, ...(await readRefusal(response)) }
    const text = await response.text()
    return { ok: true, status, body: text === '' ? undefined : JSON.parse(text), etag: response.headers.get('etag') }
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

/** The words of a refusal, for the person who asked. */
export function faultOf(reply: ApiResponse<unknown>): string {
  return reply.ok ? '' : reply.refusal?.message || 'The service does not answer.'
}

export function apiPath({ owner, repo }: RepositoryOfPage, path: string): string {
  return `/api/v1/repos/${owner}/${repo}${path}`
}
