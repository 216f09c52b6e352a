import { Octokit } from '@octokit/rest'
import { type Credential, type EmitEvent, ignoreEvents } from '../lib/service-events.ts'
import { createApiFetch } from './api-fetch.ts'
import { nameApiVersion } from './api-version.ts'
import { emitCalls } from './emit-calls.ts'
import { errorToResponse, type GithubResponse, toResponse } from './github-response.ts'

/** A route as GitHub documents it (`GET /repos/{owner}/{repo}`), and the values of its parameters and of its body. */
export interface GithubRequest {
  route: string
  parameters?: Readonly<Record<string, unknown>>
  /** Absent where the Octokit authenticates the request by itself. */
  token?: string
  etag?: string | null
  /** Returns a redirect instead of following it. A redirect means that the repository has another name now. */
  keepsRedirects?: boolean
  /** Ends the request before its own time limit. */
  signal?: AbortSignal | undefined
}

export interface GithubRequestOptions {
  apiUrl: string
  /** For one request, redirects and body included. */
  timeLimitMs: number
  /** Receives every request once it has ended, without its token and parameters. */
  emit?: EmitEvent
}

// Octokit's own log lines carry the headers of the request, and so the token.
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The options that all Octokits of the service share: GitHub's address and a fetch with bounds. */
export function octokitOptions({ apiUrl, timeLimitMs }: GithubRequestOptions) {
  const baseUrl = apiUrl.replace(/\/+$/, '')
  const request = { fetch: createApiFetch(baseUrl, timeLimitMs), log: silent }
  return { baseUrl, userAgent: 'headsup', log: silent, request }
}

/** Creates an Octokit without authentication: each request brings a token. `credential` says whose token that is. */
export function createOctokit(options: GithubRequestOptions, credential: Credential): Octokit {
  const octokit = new Octokit(octokitOptions(options))
  emitCalls(octokit, credential, options.emit ?? ignoreEvents)
  nameApiVersion(octokit)
  return octokit
}

/** Sends one request to GitHub. No retries. Never throws. */
export async function sendRequest(
  octokit: Pick<Octokit, 'request'>,
  { route, parameters, token, etag = null, keepsRedirects = false, signal }: GithubRequest,
): Promise<GithubResponse> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(etag === null ? {} : { 'if-none-match': etag }),
  }
  const redirect: 'manual' | 'follow' = keepsRedirects ? 'manual' : 'follow'
  const request = { redirect, ...(signal ? { signal } : {}) }
  try {
    return toResponse(await octokit.request(route, { ...parameters, headers, request }))
  } catch (error) {
    return errorToResponse(error, signal)
  }
}
