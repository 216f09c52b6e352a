import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGlobCache } from '../core/scope/glob/glob-cache.ts'
import { createOpenStreams, streamBoundsOf } from './api/http/limits/stream-limits.ts'
import { createMetricsApp, type MetricsAppDeps } from './api/http/routes/metrics-app.ts'
import { listen, requireFree } from './api/http/server/bind-port.ts'
import { createListener } from './api/http/server/connection-bounds.ts'
import { drainable } from './api/http/server/drain.ts'
import { trackSlowReaders } from './api/http/server/slow-readers.ts'
import { createSignIn } from './api/session/sign-in.ts'
import { createApp } from './app.ts'
import type { GithubAppConfig } from './config/app-key.ts'
import type { Config } from './config/config.ts'
import { type OpenDatabase, openDatabase, startTimeoutMs } from './db/open.ts'
import { retryWhileUnavailable } from './db/wait-for-database.ts'
import { createGithubAccess } from './github/access/access.ts'
import { createCallers } from './github/callers/callers.ts'
import { createClockWarning } from './github/clock-warning.ts'
import { createGithubApp } from './github/installation/app-client.ts'
import { createAppStatus } from './github/installation/app-status.ts'
import { createRepositorySettings } from './github/installation/repository-settings.ts'
import { createPullRequestJobs } from './github/pull-request-jobs.ts'
import { createWebhookReceiver } from './github/receive-webhook.ts'
import { type RedeliverDeps, redeliver } from './github/recovery/redeliver.ts'
import { startWebhookProxy } from './github/webhook-proxy.ts'
import { type Job, onOneInstance, repeatJob } from './jobs/repeat-job.ts'
import { sweep } from './jobs/sweep.ts'
import type { Log } from './lib/log.ts'
import { broadcast, type EmitEvent } from './lib/service-events.ts'
import { createLiveUpdates } from './live/live-updates.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { startTelemetry, type Telemetry } from './telemetry/start.ts'

export interface Service {
  /** Such as `http://127.0.0.1:3000`. */
  url: string
  /** Finishes the pending requests, then the jobs, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the whole service: database, migrations, listener, background jobs. Throws `StartError`. If `stopSignal` aborts
 * before the database is open, undoes what was started and throws the reason of the signal.
 */
export async function startService(config: Config, log: Log, stopSignal?: AbortSignal): Promise<Service> {
  // Before anything is migrated: a second start by mistake changes nothing.
  await requireFree({ ...config, variable: 'PORT' })
  const telemetry = await startTelemetry(config, log)
  const database = await openDatabase(config, { log, emit: telemetry.emit, signal: stopSignal })
  try {
    return await serve(config, { log, database, telemetry, stopSignal })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface Parts {
  log: Log
  database: OpenDatabase
  telemetry: Telemetry
  stopSignal: AbortSignal | undefined
}

async function serve(config: Config, { log, database, telemetry, stopSignal }: Parts): Promise<Service> {
  const { db, clock } = database
  const { now } = clock
  const { metrics } = telemetry
  const emit = broadcast([telemetry.emit, createClockWarning({ log, now })])
  const { githubApiUrl: apiUrl, permissionCacheMs, metricsToken } = config
  let stopping = false
  const isStopping = () => stopping
  const access = createGithubAccess({ apiUrl, permissionCacheMs, authorLogin: config.authorLogin, log, emit })
  const { probot, githubApp } = await startProbot(config, emit)
  const settings = createRepositorySettings({ app: githubApp, db, operator: config.settings, log, now })
  const { settingsIn, settingsOf, forget: forgetSettings } = settings
  const stopController = new AbortController()
  const { signal } = stopController
  const { githubServerUrl: serverUrl, reconcileIntervalMs } = config
  const observing = { db, settingsOf, log, now, serverUrl, reconcileIntervalMs, signal }
  const pullRequests =
    githubApp && config.app
      ? createPullRequestJobs({ ...observing, app: githubApp, ...reporting(config, config.app, signal) })
      : undefined
  const { observer } = pullRequests ?? {}
  const webhooks = { db, access, settingsIn, forgetSettings, log, now, serverUrl, emit, observer }
  const callers = createCallers({ ...config, db, access, apiUrl, serverUrl, log, now, emit })
  const liveUpdates = createLiveUpdates({ db, log, now, emit, mostRepositories: config.maxWatched })
  const streams = createOpenStreams(streamBoundsOf(config))
  const slowReaders = trackSlowReaders()
  const live = () => ({ streams: streams.count(), repositories: liveUpdates.watched() })
  const liveBytes = () => ({ unread: slowReaders.unreadBytes(), watched: liveUpdates.bytes() })
  metrics?.addGauges({ db, access, live, liveBytes, clock })
  const makeSignIn = () => createSignIn({ ...config, db, log, now })
  const isEmbedded = !config.databaseUrl
  const app = createApp({
    db,
    signIn: await retryWhileUnavailable(makeSignIn, { timeoutMs: startTimeoutMs, log, signal: stopSignal, isEmbedded }),
    liveUpdates,
    streams,
    slowReaders,
    permissionCacheMs,
    access,
    viewerOf: callers.viewerOf,
    appStatusOf: createAppStatus(githubApp, now),
    onAccepted: callers.onAccepted,
    accountOf: callers.accountOf,
    settingsOf,
    ...(probot ? { receiveWebhook: await createWebhookReceiver({ ...webhooks, probot }) } : {}),
    log,
    now,
    retentionMs: config.retentionMs,
    githubServerUrl: serverUrl,
    writesReports: githubApp !== undefined && !config.reportShadow,
    address: {
      publicUrl: config.publicUrl,
      allowedHosts: config.allowedHosts,
      listensOn: () => bound,
    },
    trustedProxies: config.trustedProxies,
    isStopping,
    requestsPerMinute: config.requestsPerMinute,
    recordLimits: config.recordLimits,
    bounds: { requests: { atOnce: config.maxRequests, waiting: 8 * config.maxRequests } },
    emit,
    ...(metrics && metricsToken ? { metrics: { source: metrics, token: metricsToken } } : {}),
  })
  const server = drainable(createListener(app, { maxConnections: config.maxConnections }))
  const url = await listen(server.http, { ...config, variable: 'PORT' })
  // A server that closes has no address any more, while it still finishes requests.
  const bound = server.http.address() as AddressInfo
  const closeMetrics = await openMetrics(config, { metrics, log, db, isStopping })
  const sweeper = {
    name: 'sweep',
    everyMs: config.sweepIntervalMs,
    run: () => sweep(db, { now: now(), retentionMs: config.retentionMs, signal }),
  }
  const redeliverer = githubApp ? [redeliveries({ db, app: githubApp, log, now, signal })] : []
  const forgetter = { name: 'forget_observed', everyMs: config.sweepIntervalMs, run: callers.forget }
  const jobs = [sweeper, forgetter, ...redeliverer, ...(pullRequests?.jobs ?? [])]
  const stopJobs = jobs.map((job) => repeatJob(job, log, emit))
  const stopProxy = config.webhookProxyUrl
    ? await startWebhookProxy({ source: config.webhookProxyUrl, target: `${url}/api/github/webhooks`, log })
    : undefined
  return {
    url,
    async stop() {
      stopping = true
      stopController.abort()
      await stopProxy?.()
      streams.endAll()
      await liveUpdates.stop()
      await server.drain(config.stopDelayMs)
      await Promise.all(stopJobs.map((stopJob) => stopJob()))
      await settings.stop()
      await callers.stop()
      await closeMetrics()
      await database.close()
      await telemetry.stop()
    },
  }
}

/** What the job for check runs needs in addition to what the reading jobs need. */
function reporting(config: Config, { appId }: GithubAppConfig, signal: AbortSignal) {
  return {
    ...{ appId, shadow: config.reportShadow, publicUrl: config.publicUrl, retentionMs: config.retentionMs },
    readGlob: createGlobCache(),
    pause: (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}),
  }
}

/** The one Probot instance, which receives webhooks and authenticates the App. Not loaded without a webhook secret. */
async function startProbot(config: Config, emit: EmitEvent) {
  const { webhookSecret: secret, app, githubApiUrl: apiUrl } = config
  if (!secret) return {}
  const { createProbot } = await import('./github/probot.ts')
  const options = { apiUrl, timeLimitMs: 5_000, emit }
  const probot = createProbot({ ...options, secret, app })
  // The tokens that Probot makes have the time of this machine.
  return { probot, githubApp: app && createGithubApp({ ...options, probot, now: () => new Date() }) }
}

type MetricsDeps = Omit<MetricsAppDeps, 'metrics' | 'token'> & { metrics: Metrics | undefined }

/** Serves `/metrics` and the probes on `METRICS_PORT`, if that is set. Returns how to close it. */
async function openMetrics(config: Config, { metrics, ...deps }: MetricsDeps): Promise<() => Promise<void>> {
  const { host, metricsPort: port, metricsToken: token } = config
  if (!metrics || port === undefined) return async () => {}
  const app = createMetricsApp({ ...deps, metrics, token })
  const { http, drain } = drainable(createListener(app))
  deps.log.info({ url: await listen(http, { port, host, variable: 'METRICS_PORT' }) }, 'metrics')
  return drain
}

/** How often the App looks for failed deliveries, in milliseconds (docs/rules.md#lost-deliveries). */
const redeliverEveryMs = 600_000

/** The background job of the App that lets GitHub send failed deliveries again. */
function redeliveries(deps: RedeliverDeps): Job {
  return onOneInstance({ name: 'redeliver', everyMs: redeliverEveryMs, run: () => redeliver(deps) })
}
