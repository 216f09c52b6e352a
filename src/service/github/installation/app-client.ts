import type { Probot } from 'probot'
import { createOctokit, type GithubRequest, type GithubRequestOptions, sendRequest } from '../github-request.ts'
import type { GithubResponse } from '../github-response.ts'
import { isRateLimit } from '../rate-limits.ts'
import { readInstallationToken } from './installation-token.ts'
import { createInstallations, type FoundInstallation, type Installation, type RepositoryName } from './installations.ts'
import { refusedAppReason } from './refused-app.ts'

export type AppRequest = Omit<GithubRequest, 'token'>

export interface GithubApp {
  /** Sends a request as the App itself, for example for its deliveries. Never throws. */
  requestAsApp(request: AppRequest): Promise<GithubResponse>
  /**
   * Sends a request as the App's installation on a repository. `not_installed`: there is none, or it is suspended. Once
   * GitHub refuses a token, the request is sent again with a new one. Never throws.
   */
  requestForRepository(
    repository: RepositoryName,
    request: AppRequest,
  ): Promise<GithubResponse | { kind: 'not_installed' }>
  /** The same with a token that may write check runs. `not_granted`: the owner does not grant that. Never throws. */
  requestForChecks(
    repository: RepositoryName,
    request: AppRequest,
  ): Promise<GithubResponse | { kind: 'not_installed' } | { kind: 'not_granted' }>
  /** What the owner grants in a repository, as far as is known; null if it is not installed or GitHub does not say. */
  installationOf(repository: RepositoryName): Promise<Installation | null>
  /** Sends a request as an installation, for example for its repositories. Never throws. */
  requestForInstallation(
    installation: Installation,
    request: AppRequest,
  ): Promise<GithubResponse | { kind: 'not_installed' }>
  /** Finds the App's installation on a repository. Never throws. */
  findInstallation(repository: RepositoryName): Promise<FoundInstallation>
  /** Forgets which repositories the App is installed on, after an event about installations. */
  forgetInstallations(): void
}

export interface GithubAppOptions extends GithubRequestOptions {
  /** Authenticates: it makes the JWTs of the App and the tokens of its installations. */
  probot: Probot
  /** Decides how long installations and tokens are cached. */
  now: () => Date
}

/** The GitHub App as a client of GitHub's API. No retries but one where the token or the grant is outdated, no waiting. */
export function createGithubApp({ probot, ...options }: GithubAppOptions): GithubApp {
  const octokit = createOctokit(options, 'installation')
  const requestAsApp = async (request: AppRequest): Promise<GithubResponse> => {
    const response = await sendRequest(await probot.auth(), request)
    if (response.kind !== 'response' || response.status !== 401) return response
    return { kind: 'failure', reason: refusedAppReason(response, options.now()) }
  }
  const installations = createInstallations({ requestAsApp, now: options.now })

  /** Sends a request with a token of these permissions; null where the owner grants too little. */
  async function sendAs(id: number, permissions: Permissions | null, request: AppRequest, refresh = false) {
    if (permissions === null) return { kind: 'not_granted' } as const
    const how = { refresh, now: options.now(), signal: request.signal }
    const token = await readInstallationToken(probot, { installationId: id, permissions }, how)
    return token.kind === 'token' ? await sendRequest(octokit, { ...request, token: token.token }) : token
  }

  async function sendOnce(repository: RepositoryName, request: AppRequest, narrow: Narrow, refresh: boolean) {
    const found = await installations.find(repository, request.signal)
    if (found.kind !== 'installed') return found
    return sendAs(found.installation.id, narrow(found.installation), request, refresh)
  }

  /** Looks the installation up again, once, where what is known of it is outdated. */
  async function send(repository: RepositoryName, request: AppRequest, narrow: Narrow) {
    const first = await sendOnce(repository, request, narrow, false)
    if (first.kind !== 'not_granted' && !isRefusedToken(first)) return first
    installations.forgetRepository(repository)
    return sendOnce(repository, request, narrow, first.kind !== 'not_granted')
  }

  return {
    requestAsApp,
    requestForChecks: (repository, request) => send(repository, request, forChecks),
    async requestForRepository(repository, request) {
      return orFailure(await send(repository, request, forReading))
    },
    async installationOf(repository) {
      const found = await installations.find(repository)
      return found.kind === 'installed' ? found.installation : null
    },
    async requestForInstallation({ id, permissions }, request) {
      return orFailure(await sendAs(id, permissions, request))
    },
    findInstallation: (repository) => installations.find(repository),
    forgetInstallations: installations.forget,
  }
}

type Permissions = Installation['permissions']

/** What a token asks for; null where the owner grants too little. */
type Narrow = (installation: Installation) => Permissions | null

const forReading: Narrow = ({ permissions }) => permissions
const forChecks: Narrow = ({ mayWriteChecks }) => (mayWriteChecks ? { metadata: 'read', checks: 'write' } : null)

type Sent = GithubResponse | { kind: 'not_installed' }

function orFailure(sent: Sent | { kind: 'not_granted' }): Sent {
  return sent.kind === 'not_granted' ? { kind: 'failure', reason: 'status 422 to a request of the App' } : sent
}

/** Whether the token belongs to an installation that was removed or suspended. */
function isRefusedToken(response: GithubResponse | { kind: 'not_installed' }): boolean {
  if (response.kind !== 'response') return false
  return response.status === 401 || (response.status === 403 && !isRateLimit(response) && isSuspension(response.body))
}

function isSuspension(body: unknown): boolean {
  return /suspended/i.test(JSON.stringify(body) ?? '')
}
