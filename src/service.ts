import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import { openDatabase } from './db/open.ts'
import { StartError } from './errors.ts'
import { createGithubAccess } from './github/access.ts'
import { createGithubApp, type GithubApp } from './github/app-client.ts'
import { reconcile } from './github/reconcile.ts'
import { redeliver } from './github/redeliver.ts'
import { createRepositorySettings } from './github/settings.ts'
import { startWebhookProxy } from './github/webhook-proxy.ts'
import { createWebhooks } from './github/webhooks.ts'
import { drainable } from './http/drain.ts'
import { createListener } from './http/listener.ts'
import type { Log } from './log.ts'
import { inTurn } from './sweeper/in-turn.ts'
import { type Job, schedule } from './sweeper/schedule.ts'
import { sweep } from './sweeper/sweep.ts'

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  url: string
  /** Finishes the requests under way, then the jobs, then the database. */
  stop(): Promise<void>
}

/** The whole service from its settings: database, migrations, listener, background jobs. Throws `StartError`. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const database = await openDatabase(config, log)
  try {
    return await serve(config, log, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function serve(config: Config, log: Log, database: Awaited<ReturnType<typeof openDatabase>>): Promise<Service> {
  const { db } = database
  let stopping = false
  const access = createGithubAccess({ apiUrl: config.githubApiUrl, permissionCacheMs: config.permissionCacheMs, log })
  const now = () => new Date()
  const githubApp =
    config.app && createGithubApp({ apiUrl: config.githubApiUrl, app: config.app, now, timeLimitMs: 5_000 })
  const settings = createRepositorySettings({ app: githubApp, db, operator: config.settings, log, now })
  const webhooks = {
    db,
    access,
    settingsIn: settings.settingsIn,
    forgetSettings: settings.forget,
    log,
    now,
    serverUrl: config.githubServerUrl,
  }
  const app = createApp({
    db,
    access,
    settingsOf: settings.settingsOf,
    ...(config.webhookSecret ? { receiveWebhook: createWebhooks({ ...webhooks, secret: config.webhookSecret }) } : {}),
    log,
    now,
    retentionMs: config.retentionMs,
    githubServerUrl: config.githubServerUrl,
    isStopping: () => stopping,
  })
  const server = drainable(createListener(app, { maxConnections: config.maxConnections }))
  const url = await listen(server.http, config)
  const sweeper = {
    name: 'sweep',
    everyMs: config.sweepIntervalMs,
    run: () => sweep(db, { now: new Date(), retentionMs: config.retentionMs }),
  }
  const leaving = new AbortController()
  const recovery = githubApp ? recoveryJobs(config, { db, app: githubApp, log, now, signal: leaving.signal }) : []
  const stopJobs = [sweeper, ...recovery].map((job) => schedule(job, log))
  const stopProxy = config.webhookProxyUrl
    ? await startWebhookProxy({ source: config.webhookProxyUrl, target: `${url}/api/github/webhooks`, log })
    : undefined
  return {
    url,
    async stop() {
      stopping = true
      leaving.abort()
      await stopProxy?.()
      await server.drain()
      await Promise.all(stopJobs.map((stopJob) => stopJob()))
      await settings.stop()
      await database.close()
    },
  }
}

/** How often GitHub's failed deliveries are fetched again (decisions §10). */
const redeliverEveryMs = 600_000

interface Recovery {
  db: Database
  app: GithubApp
  log: Log
  now(): Date
  signal: AbortSignal
}

/** What the App does of itself: it makes up for what no delivery told. */
function recoveryJobs({ reconcileIntervalMs }: Config, recovery: Recovery): Job[] {
  return [
    inTurn({ name: 'redeliver', everyMs: redeliverEveryMs, run: () => redeliver(recovery) }),
    inTurn({ name: 'reconcile', everyMs: reconcileIntervalMs, run: () => reconcile(recovery) }),
  ]
}

async function listen(server: Server, { port, host }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, port, host)))
    server.listen({ port, host, backlog: 4096 }, resolve)
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${shown}:${address.port}`
}

function listenFault(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const reasons = new Map([
    ['EADDRINUSE', 'is in use by another program'],
    ['EACCES', 'may not be used by this user'],
    ['EADDRNOTAVAIL', 'is no address of this machine'],
    ['ENOTFOUND', 'is no address of this machine'],
  ])
  const reason = reasons.get(error.code ?? '')
  return reason ? new StartError(`${host}:${port} ${reason}. Set PORT or HOST to another.`, { cause: error }) : error
}
