import { onTestFinished } from 'vitest'
import { secret } from '../../support/deliveries.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { type Fleet, type InstanceOptions, startFleet } from './fleet.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The environment of a fault test. It is stopped in reverse order after the test. */
export interface Stage {
  github: Github
  postgres: Postgres
  /** Two instances. */
  fleet: Fleet
}

/** A proxy or pooler between the instances and PostgreSQL. The instances use its URL. */
export interface Middleware {
  url: string
  stop(): Promise<void>
}

export interface StageOptions {
  /** Settings of PostgreSQL, as after `-c`. */
  postgres?: string[]
  /** Environment of each instance. */
  instances?: Record<string, string>
  /** What sets the two instances apart. */
  each?: readonly [InstanceOptions, InstanceOptions]
  /** Whether the instances are the App of the stand-in. Its webhook URL is still to be set. */
  githubApp?: boolean
}

export function startStage(options?: StageOptions): Promise<Stage> {
  return startStageWith(async ({ url }) => ({ url, stop: async () => {} }), options)
}

export async function startStageWith<Kind extends Middleware>(
  startBetween: (postgres: Postgres) => Promise<Kind>,
  options: StageOptions = {},
): Promise<Stage & { between: Kind }> {
  const github = await startGithub({ app: { webhookSecret: secret } })
  onTestFinished(() => github.stop())
  const postgres = await startPostgres(options.postgres)
  onTestFinished(() => postgres.remove())
  const between = await startBetween(postgres)
  onTestFinished(() => between.stop())
  const { id, privateKey } = options.githubApp ? github.data.app : {}
  const app = id && privateKey ? { APP_ID: String(id), PRIVATE_KEY: privateKey } : {}
  const settings = { DATABASE_URL: between.url, GITHUB_API_URL: github.url, ...app, ...options.instances }
  const fleet = await startFleet(options.each ?? [{}, {}], settings)
  onTestFinished(() => fleet.stop())
  return { github, postgres, between, fleet }
}
