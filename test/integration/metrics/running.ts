import { onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/service/config/config.ts'
import { startService } from '../../../src/service/service.ts'
import { createTestDatabase } from '../../support/database.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { collectingLog, type Line } from '../settings/collecting-log.ts'

export const metricsToken = 'operators-only-0123456789'

export interface Running {
  url: string
  github: Github
  lines: Line[]
  /** Drops the database while the service runs. */
  dropDatabase(): Promise<void>
  /** Sends a request to the API with this token. */
  ask(token: string | undefined, path: string, sent?: RequestInit): Promise<Response>
  scrape(): Promise<Series>
  /** Stops the service, but not GitHub or the database. */
  stop(): Promise<void>
}

/** Starts the whole service and a GitHub stand-in. Both stop when the test ends. */
export async function run(
  environ: Record<string, string> = {},
  beside: (github: Github) => Record<string, string> = () => ({}),
): Promise<Running> {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const github = await startGithub()
  onTestFinished(github.stop)
  const log = collectingLog()
  const { config } = loadConfig({
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    GITHUB_API_URL: github.url,
    HEADSUP_METRICS_TOKEN: metricsToken,
    ...beside(github),
    ...environ,
  })
  const service = await startService(config, log)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop()
    return stopped
  }
  onTestFinished(stop)
  return {
    url: service.url,
    github,
    lines: log.lines,
    dropDatabase: database.drop,
    ask: (token, path, sent = {}) =>
      fetch(service.url + path, {
        ...sent,
        headers: { ...sent.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      }),
    scrape: async () => read(await scraped(`${service.url}/metrics`, metricsToken)),
    stop,
  }
}

/** The environment variables for the App of the stand-in. */
export function appOf({ data }: Github): Record<string, string> {
  return { APP_ID: String(data.app.id), PRIVATE_KEY: data.app.privateKey, WEBHOOK_SECRET: data.app.webhookSecret }
}

export async function scraped(url: string, token?: string): Promise<string> {
  const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`a scrape got ${response.status}`)
  return await response.text()
}

export interface Series {
  names: string[]
  /** The value of a series, named with its labels in order; undefined if there is none. */
  value(series: string): number | undefined
}

function read(text: string): Series {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^([^#\s].*) (\S+)$/.exec(line) ?? []
    if (name !== undefined) values.set(name, Number(value))
  }
  return { names: [...values.keys()], value: (series) => values.get(series) }
}
