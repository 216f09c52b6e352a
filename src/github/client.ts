import { Octokit } from '@octokit/rest'
import { createApiFetch } from './api-fetch.ts'

/** What came of one question: GitHub's answer as it is, or the reason why there is none. Header names are lower case. */
export type GithubAnswer =
  | { kind: 'response'; status: number; headers: Readonly<Record<string, string>>; body: unknown }
  | { kind: 'failure'; reason: string }

export interface GithubClient {
  /** `GET /repos/{owner}/{repo}`; `etag` makes it conditional. Never throws. */
  readRepository(question: { token: string; owner: string; repo: string; etag: string | null }): Promise<GithubAnswer>
  /** `POST …/releases/generate-notes`, which needs `contents: write` and saves nothing (decisions §7). Never throws. */
  generateNotes(question: { token: string; owner: string; repo: string; defaultBranch: string }): Promise<GithubAnswer>
}

type Ask = (signal: AbortSignal) => Promise<{ status: number; headers: object; data: unknown }>

// Octokit's own log lines carry the request's headers, and so the token.
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Asks GitHub with the caller's token. One question, redirects and body included, ends after `timeLimitMs`. No retries. */
export function createGithubClient(options: { apiUrl: string; timeLimitMs: number }): GithubClient {
  const baseUrl = options.apiUrl.replace(/\/+$/, '')
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'headsup',
    log: silent,
    request: { fetch: createApiFetch(baseUrl), log: silent },
  })

  async function ask(question: Ask): Promise<GithubAnswer> {
    const signal = AbortSignal.timeout(options.timeLimitMs)
    try {
      return toAnswer(await question(signal))
    } catch (error) {
      // Octokit throws a 304 and every status from 400 on; without a response the question failed on its way.
      const response = responseOf(error)
      if (response !== null) return toAnswer(response)
      return {
        kind: 'failure',
        reason: signal.aborted ? `no answer within ${options.timeLimitMs} ms` : reasonOf(error),
      }
    }
  }

  return {
    readRepository({ token, owner, repo, etag }) {
      const headers = { authorization: `Bearer ${token}`, ...(etag === null ? {} : { 'if-none-match': etag }) }
      return ask((signal) =>
        octokit.request('GET /repos/{owner}/{repo}', { owner, repo, headers, request: { signal } }),
      )
    },
    generateNotes({ token, owner, repo, defaultBranch }) {
      const headers = { authorization: `Bearer ${token}` }
      const body = { tag_name: 'headsup-check', target_commitish: defaultBranch }
      const route = 'POST /repos/{owner}/{repo}/releases/generate-notes'
      return ask((signal) => octokit.request(route, { owner, repo, ...body, headers, request: { signal } }))
    },
  }
}

function toAnswer(response: { status: number; headers: object; data: unknown }): GithubAnswer {
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
