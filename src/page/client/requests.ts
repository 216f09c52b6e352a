import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { offline, type Problem, problemOf } from '../model/problem.ts'

export type ApiResponse<Body> =
  | { ok: true; status: number; body: Body; etag: string | null }
  | { ok: false; problem: Problem }

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
    if (!response.ok && status !== 304) return { ok: false, problem: await readProblem(response) }
    const text = await response.text()
    return { ok: true, status, body: text === '' ? undefined : JSON.parse(text), etag: response.headers.get('etag') }
  } catch {
    return { ok: false, problem: offline }
  }
}

/** The error in a response. Its message says what is wrong with each field, where the service does. Fields of a proxy's error may be anything. */
export async function readProblem(response: Response): Promise<Problem> {
  const { error = {} } = await response.json().catch(() => ({}))
  const details: { field: string; message: string }[] = Array.isArray(error.details) ? error.details : []
  const faults = details.map((one) => `${one.field}: ${one.message}`).join('; ')
  return problemOf(response, { code: String(error.code ?? ''), message: faults || String(error.message ?? '') })
}

export function apiPath({ owner, repo }: RepositoryOfPage, path: string): string {
  return `/api/v1/repos/${owner}/${repo}${path}`
}

export function callerOf(repository: RepositoryOfPage) {
  return <Body>(method: string, path: string, body?: object) =>
    send<Body>(method, apiPath(repository, path), body ? { body } : {})
}
