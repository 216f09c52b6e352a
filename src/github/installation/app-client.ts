import githubAppJwt from 'universal-github-app-jwt'
import type { EmitEvent } from '../../lib/events.ts'
import { isRateLimit } from '../access/parse-access-response.ts'
import { createGithubRequest, type GithubRequest, type GithubResponse } from '../github-request.ts'
import { createInstallations, type InstallationQuery } from './installations.ts'

export type AppRequest = Omit<GithubRequest, 'token'>

export interface GithubApp {
  /** Asks as the App itself: for its deliveries, say. Never throws. */
  askAsApp(question: AppRequest): Promise<GithubResponse>
  /**
   * Asks as the App's installation on a repository; `not_installed` where there is none, or it is suspended. A token
   * that GitHub refuses is made anew, once. Never throws.
   */
  askForRepository(of: InstallationQuery, question: AppRequest): Promise<GithubResponse | { kind: 'not_installed' }>
  /** An event said that installations have changed. */
  forgetInstallations(): void
}

export interface GithubAppOptions {
  apiUrl: string
  app: { appId: number; privateKey: string }
  /** For how long tokens are kept; a JWT is of the machine's time, by which GitHub measures it. */
  now: () => Date
  /** Of each question; several in a row are bounded by their common `signal`. */
  timeLimitMs: number
  observe?: EmitEvent
}

/** The GitHub App as GitHub knows it: by its key, and by the short-lived tokens of its installations. No retries, no waiting. */
export function createGithubApp(options: GithubAppOptions): GithubApp {
  const ask = createGithubRequest(options)
  const { appId, privateKey } = options.app

  async function askAsApp(question: AppRequest): Promise<GithubResponse> {
    try {
      const { token } = await githubAppJwt({ id: appId, privateKey })
      return await ask({ ...question, token }, 'app')
    } catch (error) {
      // A key that signs nothing. The words of the error are not the key's, but they may quote it.
      return { kind: 'failure', reason: `the App's private key can not be used (${nameOf(error)})` }
    }
  }

  const installations = createInstallations({ askAsApp, now: options.now })

  async function askOnce(of: InstallationQuery, question: AppRequest) {
    const found = await installations.of(of, question.signal)
    return found.kind === 'token' ? await ask({ ...question, token: found.token }, 'installation') : found
  }

  return {
    askAsApp,
    async askForRepository(of, question) {
      const first = await askOnce(of, question)
      if (!isRefusal(first)) return first
      installations.forgetRepository(of)
      return await askOnce(of, question)
    },
    forgetInstallations: installations.forget,
  }
}

/** The token is of an installation that is gone, or that has been suspended since. */
function isRefusal(answer: GithubResponse | { kind: 'not_installed' }): boolean {
  if (answer.kind !== 'response') return false
  return answer.status === 401 || (answer.status === 403 && !isRateLimit(answer) && isSuspension(answer.body))
}

function isSuspension(body: unknown): boolean {
  return /suspended/i.test(JSON.stringify(body) ?? '')
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
