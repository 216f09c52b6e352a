import { Octokit } from '@octokit/rest'
import { type Credential, type EmitEvent, ignoreEvents } from '../lib/events.ts'
import { currentContext } from '../lib/request-context.ts'
import { isRateLimit } from './access/parse-access-response.ts'
import { createApiFetch } from './api-fetch.ts'

/** What came of one question: GitHub's answer as it is, or the reason why there is none. Header names are lower case. */
export type GithubResponse =
  | { kind: 'response'; status: number; headers: Readonly<Record<string, string>>; body: unknown }
  | { kind: 'failure'; reason: string }

/** A route as GitHub documents it (`GET /repos/{owner}/{repo}`), and the values of its parameters and of its body. */
export interface GithubRequest {
  route: string
  parameters?: Readonly<Record<string, unknown>>
  /** A caller's token, an installation's, or a JWT of the App. */
  token: string
  etag?: string | null
  /** Hands a redirect back instead of following it: what was asked for has another name now. */
  keepsRedirects?: boolean
  /** Ends the question earlier than its own time limit. */
  signal?: AbortSignal | undefined
}

/** `asker` says whose the token is. Never throws. */
export type SendGithubRequest = (question: GithubRequest, asker: Credential) => Promise<GithubResponse>

export interface GithubRequestOptions {
  apiUrl: string
  timeLimitMs: number
  /** Told of every question once it is over, without the token and the parameters. */
  observe?: EmitEvent
}

// Octokit's own log lines carry the request's headers, and so the token.
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Asks GitHub. One question, redirects and body included, ends after `timeLimitMs`. No retries. */
export function createGithubRequest(options: GithubRequestOptions): SendGithubRequest {
  const { observe = ignoreEvents } = options
  const baseUrl = options.apiUrl.replace(/\/+$/, '')
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'headsup',
    log: silent,
    request: { fetch: createApiFetch(baseUrl), log: silent },
  })

  async function put(question: GithubRequest): Promise<GithubResponse> {
    const { route, parameters = {}, token, etag = null, keepsRedirects = false, signal } = question
    const limit = AbortSignal.timeout(options.timeLimitMs)
    const request: { signal: AbortSignal; redirect: 'manual' | 'follow' } = {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      redirect: keepsRedirects ? 'manual' : 'follow',
    }
    const headers = { authorization: `Bearer ${token}`, ...(etag === null ? {} : { 'if-none-match': etag }) }
    try {
      return toAnswer(await octokit.request(route, { ...parameters, headers, request }))
    } catch (error) {
      // Octokit throws a 304 and every status from 400 on; without a response the question failed on its way.
      const response = responseOf(error)
      if (response !== null) return toAnswer(response)
      if (signal?.aborted) return { kind: 'failure', reason: 'no answer in time' }
      return {
        kind: 'failure',
        reason: limit.aborted ? `no answer within ${options.timeLimitMs} ms` : reasonOf(error),
      }
    }
  }

  return async function ask(question, asker) {
    const requestContext = currentContext()
    const began = performance.now()
    const answer = await put(question)
    const ms = performance.now() - began
    observe({ kind: 'github_call', requestContext, call: { asker, route: question.route, ms, ...factsOf(answer) } })
    return answer
  }
}

function factsOf(answer: GithubResponse) {
  if (answer.kind === 'failure') return { status: null, isRateLimit: false, remaining: null }
  const { status, headers } = answer
  // Other resources, such as the search, have limits of their own.
  const isCore = (headers['x-ratelimit-resource'] ?? 'core') === 'core'
  const remaining = isCore && /^\d{1,9}$/.test(headers['x-ratelimit-remaining'] ?? '')
  return {
    status,
    isRateLimit: isRateLimit(answer),
    remaining: remaining ? Number(headers['x-ratelimit-remaining']) : null,
  }
}

function toAnswer(response: { status: number; headers: object; data: unknown }): GithubResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = String(value)
  return { kind: 'response', status: response.status, headers, body: response.data }
}

function responseOf(error: unknown): { status: number; headers: object; data: unknown } | null {
  if (!(error instanceof Error) || !('response' in error)) return null
  const { response } = error
  if (typeof response !== 'object' || response === null) return null
  if (!('status' in response) || typeof response.status !== 'number') return null
  if (!('headers' in response) || typeof response.headers !== 'object' || response.headers === null) return null
  return { status: response.status, headers: response.headers, data: 'data' in response ? response.data : null }
}

// Only the words of the error: its `request` holds the headers.
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
