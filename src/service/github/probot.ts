import { pino } from 'pino'
import { Probot, ProbotOctokit } from 'probot'
import type { GithubAppConfig } from '../config/app-key.ts'
import { ignoreEvents } from '../lib/service-events.ts'
import { nameApiVersion } from './api-version.ts'
import { emitCalls } from './emit-calls.ts'
import { createOctokit, type GithubRequestOptions, octokitOptions } from './github-request.ts'

export interface ProbotOptions extends GithubRequestOptions {
  /** Webhooks are signed with it. */
  secret: string
  /** Absent where the service only receives webhooks. */
  app?: GithubAppConfig | undefined
}

/**
 * Creates the Probot instance of the service. It receives webhooks, and authenticates as the App where one is configured.
 * Nothing is sent to GitHub before the first request. Probot's log is off, since it writes payloads on errors.
 *
 * Import this module only where a webhook secret is set: Probot takes some 170 ms to load.
 */
export function createProbot({ secret, app, ...options }: ProbotOptions): Probot {
  return new Probot({
    secret,
    log: pino({ level: 'silent' }),
    Octokit: octokitClass(options),
    // Without an App, Probot needs some token; it is never sent.
    ...(app ? { appId: app.appId, privateKey: app.privateKey } : { githubToken: 'unused' }),
  })
}

/**
 * Probot's Octokit, without its retries and its waiting for rate limits.
 *
 * `auth.request` creates the installation tokens. Probot's own would send them to api.github.com even where the API is
 * elsewhere, as on GitHub Enterprise Server.
 */
function octokitClass(options: GithubRequestOptions): typeof ProbotOctokit {
  const tokens = createOctokit(options, 'app')
  const emit = options.emit ?? ignoreEvents
  return ProbotOctokit.plugin((octokit, { auth }) => {
    const isInstallation = typeof auth === 'object' && auth !== null && 'installationId' in auth
    emitCalls(octokit, isInstallation ? 'installation' : 'app', emit)
    nameApiVersion(octokit)
  }).defaults((given: OctokitOptions) => ({
    ...given,
    ...octokitOptions(options),
    auth: { ...given.auth, request: tokens.request },
    throttle: { enabled: false },
    retry: { enabled: false },
  }))
}

/** What Probot passes to the class that it was given. */
interface OctokitOptions {
  auth?: object
}
