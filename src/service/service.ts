import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { StartError } from '../core/errors.ts'
import { metricsApp } from './api/probes.ts'
import { loadSessionKey } from './api/sign-in/seal.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { startClock } from './db/clock.ts'
import { startEmbedded } from './db/embedded.ts'
import { isUnavailable } from './db/errors.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/prisma.ts'
import { startWebhookProxy } from './github/app/webhook-proxy.ts'
import { createCallers } from './github/callers.ts'
import { forgetting } from './github/forgetting.ts'
import { createViewer } from './github/viewer.ts'
import { startJobs } from './jobs.ts'
import { createStreams } from './live/send-versions.ts'
import { createVersions } from './live/versions.ts'
import type { Log } from './log.ts'
import { purge } from './records/purge.ts'
import { defaultSettings } from './records/settings.ts'
import { listen } from './server.ts'

const databaseMs = 30_000
const readyMs = 2_000

export interface Service {
  /** Of the port that it listens on. */
  port: number
  metricsPort: number | null
  stop(): Promise<void>
}

/** What was started last stops first. */
type Ends = (() => unknown)[]

/** Starts everything. Throws a `StartError` for what its operator can mend, and leaves nothing running. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const ends: Ends = []
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const database = await startDatabase(config, log, ends)
    const github = await startGithub(config, log, database, ends)
    return { ...(await startFront(config, log, { ...database, ...github }, ends)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startDatabase(config: Config, log: Log, ends: Ends) {
  const databaseUrl = config.databaseUrl ?? (await startOwnPostgres(config, log, ends))
  await retried(() => migrate(databaseUrl, config.githubServerUrl, log))
  const { pool, prisma } = openDatabase(databaseUrl)
  ends.push(() => prisma.$disconnect())
  const clock = await startClock(pool, log)
  ends.push(clock.stop)
  return { pool, prisma, now: clock.now }
}

async function startOwnPostgres({ dataDir }: Config, log: Log, ends: Ends): Promise<string> {
  const { url, stop } = await startEmbedded(dataDir, log, () => {
    log.fatal('the embedded PostgreSQL has ended')
    process.exit(1)
  })
  ends.push(stop)
  return url
}

type Database = Awaited<ReturnType<typeof startDatabase>>

/** How callers' tokens are answered, and the App where there is one, with all jobs. */
async function startGithub(config: Config, log: Log, { pool, prisma, now }: Database, ends: Ends) {
  const { githubApiUrl, githubServerUrl, retentionMs, publicUrl } = config
  const callers = createCallers(githubApiUrl)
  const parts = { prisma, now, log, defaults: defaultSettings(config), githubApiUrl, githubServerUrl }
  // Probot loads slowly: only who has an App waits for it.
  const startApp = async (app: NonNullable<Config['app']>) =>
    (await import('./github/app/start.ts')).startGithubApp(app, { ...parts, pool, publicUrl })
  const app = config.app && (await startApp(config.app))
  const { keyOf, seesPulls } = callers
  const viewer = createViewer({ ...parts, keyOf, seesPulls, app: app ?? undefined })
  const purging = { name: 'purge', everyMs: 600_000, run: () => purge(prisma, now(), retentionMs) }
  const jobs = [...(app?.jobs ?? []), forgetting(prisma, now), purging]
  ends.push(await startJobs({ prisma, now, log }, jobs))
  return { callers, viewer, webhooks: app?.webhooks }
}

type Github = Awaited<ReturnType<typeof startGithub>>

/** Everything that listens. */
async function startFront(config: Config, log: Log, { webhooks, ...parts }: Database & Github, ends: Ends) {
  const { prisma, pool, now } = parts
  const { host, port, metricsPort, githubServerUrl, retentionMs } = config
  let isStopping = false
  const isReady = async () => !isStopping && (await answers(pool))
  const versions = createVersions({ pool, now, log })
  ends.push(versions.stop)
  const streams = createStreams(versions)
  const sessionKey = await loadSessionKey(prisma)
  const app = createApp({ config, streams, sessionKey, isReady, webhooks, ...parts, githubServerUrl, retentionMs, log })

  const metrics =
    metricsPort === null ? null : await listen(metricsApp(isReady, pool), host, metricsPort, 'METRICS_PORT')
  if (metrics) ends.push(metrics.drain)
  const server = await listen(app, host, port)
  ends.push(server.drain)
  const channel = config.app?.webhookProxyUrl
  if (channel) ends.push(await startWebhookProxy(channel, server.port, log))
  ends.push(() => {
    isStopping = true
    streams.stop()
  })
  return { port: server.port, metricsPort: metrics?.port ?? null }
}

function answers(pool: Pool): Promise<boolean> {
  const answered = pool.query('select').then(
    () => true,
    () => false,
  )
  return Promise.race([answered, sleep(readyMs, false)])
}

/** A database may start after the service. */
async function retried(step: () => Promise<void>): Promise<void> {
  const until = Date.now() + databaseMs
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (Date.now() > until) throw new StartError('the database of DATABASE_URL does not answer')
    }
    await sleep(500)
  }
}
