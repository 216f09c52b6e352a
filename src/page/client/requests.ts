import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { offline, type Problem, problemOf } from '../model/problem.ts'

export type ApiResponse<Body> =
  | { ok: true; status: number; body: Body; etag: string | null }
  | { ok: false; problem: Problem; details: readonly FieldFault[] }

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
    if (!response.ok && status !== 304) return { ok: false, ...(await readProblem(response)) }
    const text = await response.text()
    return { ok: true, status, body: text === '' ? undefined : JSON.parse(text), etag: response.headers.get('etag') }
  } catch {
    return { ok: false, problem: offline, details: [] }
  }
}

/** The error in a response. An error of a proxy has no code. */
export async function readProblem(response: Response): Promise<{ problem: Problem; details: readonly FieldFault[] }> {
  const { status, headers } = response
  const { error = {} } = await response.json().catch(() => ({}))
  const problem = problemOf({
    status,
    code: String(error.code ?? ''),
    message: String(error.message ?? 'The service refused the request.'),
    retryAfter: headers.get('retry-after'),
    sso: headers.get('x-github-sso'),
  })
  return { problem, details: Array.isArray(error.details) ? error.details : [] }
}

export function apiPath({ owner, repo }: RepositoryOfPage, path: string): string {
  return `/api/v1/repos/${owner}/${repo}${path}`
}

/** What sends requests about the repository. */
export function callerOf(repository: RepositoryOfPage) {
  return <Body>(method: string, path: string, body?: object) =>
    send<Body>(method, apiPath(repository, path), body ? { body } : {})
}
