import { pino } from 'pino'
import { Probot, ProbotOctokit } from 'probot'
import { fetchWhole, prepared } from '../octokit.ts'

export interface AppConfig {
  id: number
  privateKey: string
  webhookSecret: string
  /** A channel of smee.io, for a machine that GitHub can not reach. */
  webhookProxyUrl: string | null
}

/** The App: it receives webhooks, and gives an Octokit for each installation. Its log is off, since it writes payloads. */
export function createProbot({ id, privateKey, webhookSecret }: AppConfig, baseUrl: string): Probot {
  return new Probot({
    ...{ appId: id, privateKey, secret: webhookSecret, baseUrl, log: pino({ level: 'silent' }) },
    Octokit: OctokitOfApp,
    request: { fetch: fetchWhole },
  })
}

/**
 * Where a limit is spent, the request fails and its job does it again later: Octokit would wait for up to an hour. Probot passes
 * options of its own when it makes an Octokit, so these are merged over them.
 */
const throttle = { enabled: true, onRateLimit: () => false, onSecondaryRateLimit: () => false }

const OctokitOfApp = ProbotOctokit.plugin((octokit) => void prepared(octokit, 'app')).defaults(
  (options: { throttle?: object }) => ({ ...options, throttle: { ...options.throttle, ...throttle } }),
)
