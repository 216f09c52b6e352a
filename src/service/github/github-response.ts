import { type NoAnswer, noAnswerBehind } from './no-answer.ts'

/** GitHub's response as it is, or the reason why there is none. Header names are lower case. */
export type GithubResponse = ReceivedResponse | { kind: 'failure'; reason: string; noAnswer?: NoAnswer }

export interface ReceivedResponse {
  kind: 'response'
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

/** Octokit throws a 304 and every status from 400 on. An error without a response means that the request itself failed. */
export function errorToResponse(error: unknown, signal?: AbortSignal): GithubResponse {
  const response = responseOf(error)
  if (response !== null) return toResponse(response)
  if (signal?.aborted) return { kind: 'failure', reason: 'no answer in time' }
  const noAnswer = noAnswerBehind(error)
  return { kind: 'failure', reason: reasonOf(error), ...(noAnswer ? { noAnswer } : {}) }
}

export function toResponse(response: { status: number; headers: object; data: unknown }): GithubResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = String(value)
  return { kind: 'response', status: response.status, headers, body: response.data }
}

/** What GitHub says in the body of an error, such as `Not Found`. */
export function githubMessage({ body }: ReceivedResponse): string | null {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message : null
}

/** The URL of the next page, if there is one. */
export function nextPage(response: GithubResponse): URL | null {
  if (response.kind === 'failure') return null
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.link ?? '')?.[1]
  return next !== undefined && URL.canParse(next) ? new URL(next) : null
}

function responseOf(error: unknown): { status: number; headers: object; data: unknown } | null {
  if (!(error instanceof Error) || !('response' in error)) return null
  const { response } = error
  if (typeof response !== 'object' || response === null) return null
  if (!('status' in response) || typeof response.status !== 'number') return null
  if (!('headers' in response) || typeof response.headers !== 'object' || response.headers === null) return null
  return { status: response.status, headers: response.headers, data: 'data' in response ? response.data : null }
}

/**
 * The message alone: the `request` of Octokit's errors holds the headers. Any other error comes from signing with the
 * App's private key, and its message could quote the key.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'HttpError' || error.name === 'AbortError') return error.message
  return `the request could not be authenticated (${error.name})`
}
