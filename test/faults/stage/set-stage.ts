import { onTestFinished } from 'vitest'
import { type Github, startGithub } from '../../support/github/start.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** All that a fault test stands on; each part is gone when the test is over, the last one first. */
export interface Stage {
  github: Github
  postgres: Postgres
  /** Two instances. */
  fleet: Fleet
}

/** What stands between the instances and PostgreSQL: they know its URL alone. */
export interface Between {
  url: string
  stop(): Promise<void>
}

export interface StageOptions {
  /** Settings of PostgreSQL, as after `-c`. */
  postgres?: string[]
  /** Environment of each instance. */
  instances?: Record<string, string>
}

export function setStage(options?: StageOptions): Promise<Stage> {
  return setStageWith(async ({ url }) => ({ url, stop: async () => {} }), options)
}

export async function setStageWith<Kind extends Between>(
  startBetween: (postgres: Postgres) => Promise<Kind>,
  options: StageOptions = {},
): Promise<Stage & { between: Kind }> {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const postgres = await startPostgres(options.postgres)
  onTestFinished(() => postgres.remove())
  const between = await startBetween(postgres)
  onTestFinished(() => between.stop())
  const settings = { DATABASE_URL: between.url, GITHUB_API_URL: github.url, ...options.instances }
  const fleet = await startFleet(2, settings)
  onTestFinished(() => fleet.stop())
  return { github, postgres, between, fleet }
}
