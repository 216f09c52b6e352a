import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/open.ts'
import { createGithubAccess } from './github/access.ts'
import { createWebhooks } from './github/webhooks.ts'
import { drainable } from './http/drain.ts'
import type { Log } from './log.ts'
import { createSettingsReader } from './settings/reader.ts'
import { schedule } from './sweeper/schedule.ts'
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
  const settingsOf = createSettingsReader(config.settings)
  const webhooks = {
    db,
    access,
    settingsOf,
    forgetSettings() {},
    log,
    now: () => new Date(),
    serverUrl: config.githubServerUrl,
  }
  const app = createApp({
    db,
    access,
    settingsOf,
    ...(config.webhookSecret ? { receiveWebhook: createWebhooks({ ...webhooks, secret: config.webhookSecret }) } : {}),
    log,
    now: () => new Date(),
    retentionMs: config.retentionMs,
    githubServerUrl: config.githubServerUrl,
    isStopping: () => stopping,
  })
  const server = drainable(createServer(app))
  const url = await listen(server.http, config)
  const sweeper = {
    name: 'sweep',
    everyMs: config.sweepIntervalMs,
    run: () => sweep(db, { now: new Date(), retentionMs: config.retentionMs }),
  }
  const stopSweeping = schedule(sweeper, log)
  return {
    url,
    async stop() {
      stopping = true
      await server.drain()
      await stopSweeping()
      await database.close()
    },
  }
}

async function listen(server: ReturnType<typeof createServer>, { port, host }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, resolve)
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${shown}:${address.port}`
}
