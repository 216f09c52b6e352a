import express, { type Express, type Router } from 'express'
import { createGlobCache, type ReadGlob } from '../core/scope/glob/glob-cache.ts'
import { createApiSlots, type RequestBounds, requestBounds } from './api/http/limits/api-slots.ts'
import { createRequestSlots, deliveryBounds, type SlotBounds } from './api/http/limits/request-slots.ts'
import { createOpenStreams, type OpenStreams } from './api/http/limits/stream-limits.ts'
import { limitRequests } from './api/http/limits/token-rate-limit.ts'
import { checkHost } from './api/http/middleware/check-host.ts'
import { errorHandler } from './api/http/middleware/error-handler.ts'
import { requestHeaders } from './api/http/middleware/request-headers.ts'
import { requestLog } from './api/http/middleware/request-log.ts'
import { ownForm } from './api/http/middleware/same-origin.ts'
import { sessionCookie } from './api/http/middleware/session-cookie.ts'
import { unknownPath } from './api/http/middleware/unknown-path.ts'
import { rejectRepeatedHeaders, rejectUnknownProtocols } from './api/http/middleware/validate-headers.ts'
import { apiRouter } from './api/http/routes/api.ts'
import { notFoundPage, pageRouter } from './api/http/routes/browser-page.ts'
import { clientFileRouter } from './api/http/routes/client-file.ts'
import { docsRouter } from './api/http/routes/docs.ts'
import { healthRouter } from './api/http/routes/health.ts'
import { type MetricsSource, metricsRouter } from './api/http/routes/metrics.ts'
import type { ServeDeps } from './api/http/routes/serve-operation.ts'
import { serviceInfoRouter } from './api/http/routes/service-info.ts'
import { sessionRouter } from './api/http/routes/session.ts'
import { signInRouter } from './api/http/routes/sign-in.ts'
import { webhookRouter } from './api/http/routes/webhooks.ts'
import { linkRoot, ownUrl, type ServiceAddress } from './api/http/server/service-address.ts'
import { type SlowReaders, trackSlowReaders } from './api/http/server/slow-readers.ts'
import { jsonRpcErrors } from './api/mcp/json-rpc-errors.ts'
import { mcpRouter } from './api/mcp/router.ts'
import type { RequestedAccess } from './api/operations/define.ts'
import type { SignIn } from './api/session/sign-in.ts'
import type { AppStatus, Context, Viewer } from './context.ts'
import type { Database } from './db/database.ts'
import type { GithubAccess } from './github/access/access.ts'
import type { Callers } from './github/callers/callers.ts'
import type { Delivery, WebhookOutcome } from './github/receive-webhook.ts'
import type { Log } from './lib/log.ts'
import { type EmitEvent, ignoreEvents } from './lib/service-events.ts'
import type { WaitForGithub } from './lib/wait-for-github.ts'
import { createLiveUpdates, type LiveUpdates } from './live/live-updates.ts'
import { observationOff } from './observed/observation-state.ts'
import { defaultRecordLimits, type RecordLimits } from './records/repository/default-limits.ts'
import { createRecordLimiter, type RecordLimiter } from './records/repository/record-limits.ts'
import type { Repository } from './records/repository/repository.ts'
import type { EffectiveSettings } from './records/settings/effective.ts'

export interface AppDeps {
  db: Database
  access: GithubAccess
  /** Returns the settings that are in force in a repository. */
  settingsOf(repository: Repository, wait?: WaitForGithub): Promise<EffectiveSettings>
  log: Log
  now(): Date
  /** In milliseconds. */
  retentionMs: number
  /** Without a trailing slash. */
  githubServerUrl: string
  address: ServiceAddress
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` counts. */
  trustedProxies?: string[]
  /** Whether the process is stopping. */
  isStopping(): boolean
  /** Whether the service writes check runs on pull requests. Default: false. */
  writesReports?: boolean
  /**
   * Makes the viewer of a request: the caller's account and its right to see observed work. Absent: nothing is
   * observed.
   */
  viewerOf?: Callers['viewerOf']
  /** Whether the GitHub App sees a repository. Absent: there is no App. */
  appStatusOf?(repository: Repository): Promise<AppStatus>
  /** Called when GitHub has accepted a token. */
  onAccepted?: Callers['onAccepted']
  /** Returns the account of a token. Absent: it is never known. */
  accountOf?: Callers['accountOf']
  /** Watches repositories for streams. Absent: one is created, and never stopped. */
  liveUpdates?: LiveUpdates
  /** Signs people in to the page. Absent: nobody can sign in. */
  signIn?: SignIn
  /** The streams that are open. They end before the service stops. */
  streams?: OpenStreams
  /** Counts what clients have not read yet. */
  slowReaders?: SlowReaders
  /** How often the access of a stream's caller is checked again, in ms. */
  permissionCacheMs?: number
  /** Serves the command line as one file. Absent: the built one. */
  clientFile?: Router
  /** Where the built files of the page are. Absent: beside the built program. */
  pageDirectory?: URL
  /** Handles GitHub's webhooks. Absent without a `WEBHOOK_SECRET`; then their path is 404. */
  receiveWebhook?: (delivery: Delivery) => Promise<WebhookOutcome>
  /** How many requests a minute each token may make; absent: no limit. */
  requestsPerMinute?: number | undefined
  /** How many records a repository may hold, if not the default. */
  recordLimits?: Partial<RecordLimits>
  /** The bounds of requests and of deliveries, if not the default. */
  bounds?: { requests?: Partial<RequestBounds>; deliveries?: Partial<SlotBounds> }
  /** Receives the events of requests. */
  emit?: EmitEvent
  /** Serves `/metrics` with this token. Absent: that path is 404. */
  metrics?: { source: MetricsSource; token: string }
}

/** Creates the service as an Express application. It does not read the environment and does not listen. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  app.set('trust proxy', deps.trustedProxies ?? [])
  const { slotOf, deliverySlots, slowReaders } = createBounds(deps)
  app.use(requestHeaders)
  const publicUrl = () => ownUrl(deps.address)
  app.use((_request, response, next) => {
    response.locals.publicUrl = publicUrl()
    next()
  })
  app.use('/mcp', jsonRpcErrors)
  if (deps.signIn) app.use('/api/v1', sessionCookie(deps.signIn.sessions, deps.address.publicUrl))
  app.use(requestLog(deps.log, deps.emit))
  app.use(rejectUnknownProtocols, rejectRepeatedHeaders)
  const contextDeps = {
    ...deps,
    readGlob: createGlobCache(),
    recordLimiter: createRecordLimiter(deps.db, { ...defaultRecordLimits, ...deps.recordLimits }),
  }
  const operationDeps: ServeDeps = {
    authorize: async (request) => {
      const repository = await deps.access.authorize(request)
      deps.onAccepted?.(request.token)
      return repository
    },
    settingsOf: deps.settingsOf,
    makeContext: (...args) => makeContext(contextDeps, ...args),
    liveUpdates: deps.liveUpdates ?? createLiveUpdates(deps),
    slotOf,
    streams: deps.streams ?? createOpenStreams(),
    slowReaders,
    accountOf: deps.accountOf ?? (async () => null),
    recheckMs: deps.permissionCacheMs ?? 60_000,
    emit: deps.emit ?? ignoreEvents,
    sessions: deps.signIn?.sessions,
    linkRoot: () => linkRoot(deps.address),
  }
  const hostCheck = checkHost(deps.address)
  app.use(['/api/v1', '/mcp'], hostCheck)
  const { requestsPerMinute: perMinute } = deps
  if (perMinute) app.use(['/api/v1/repos', '/mcp'], limitRequests({ perMinute, now: () => deps.now().getTime() }))
  app.use('/api/v1', apiRouter(operationDeps))
  app.use(healthRouter(deps.db, deps.isStopping))
  if (deps.receiveWebhook) app.use(webhookRouter(deps.receiveWebhook, deliverySlots))
  if (deps.metrics) app.use(metricsRouter(deps.metrics.source, deps.metrics.token))
  app.use('/-/session', ownForm)
  app.use(hostCheck)
  if (deps.signIn) {
    const signInDeps = { ...deps, ...deps.signIn, ...deps.address, slotOf }
    app.use(sessionRouter(signInDeps), signInRouter(signInDeps))
  }
  app.use(docsRouter())
  app.use(serviceInfoRouter({ githubServerUrl: deps.githubServerUrl, publicUrl }))
  app.use(deps.clientFile ?? clientFileRouter())
  app.use(pageRouter(deps.pageDirectory))
  app.use(mcpRouter({ ...operationDeps, log: deps.log }, slowReaders))
  app.use(notFoundPage(deps.pageDirectory))
  app.use(unknownPath)
  app.use(errorHandler(deps.log))
  return app
}

function createBounds({ log, bounds = {}, emit = ignoreEvents, slowReaders = trackSlowReaders() }: AppDeps) {
  const now = () => performance.now()
  const onRefused = (what: 'request' | 'delivery') => () => emit({ kind: 'shed', what })
  const requests = { ...requestBounds, ...bounds.requests }
  const deliveries = { ...deliveryBounds, ...bounds.deliveries }
  return {
    slotOf: createApiSlots(requests, { log, now, onRefused: onRefused('request') }),
    deliverySlots: createRequestSlots(deliveries, { log, now, onRefused: onRefused('delivery') }),
    slowReaders,
  }
}

const defaultViewer: Viewer = {
  account: () => null,
  mayReadPullRequests: async () => true,
  observationState: async () => observationOff,
}

const noApp: AppStatus = { state: 'not_configured', permissions: null }

type ContextDeps = AppDeps & { readGlob: ReadGlob; recordLimiter: RecordLimiter }

function makeContext(
  deps: ContextDeps,
  repository: Repository,
  effectiveSettings: EffectiveSettings,
  accessRequest: RequestedAccess,
): Context {
  return {
    db: deps.db,
    now: deps.now(),
    log: deps.log,
    requestId: accessRequest.requestId,
    repository,
    settings: effectiveSettings.settings,
    effectiveSettings,
    retentionMs: deps.retentionMs,
    readGlob: deps.readGlob,
    recordLimiter: deps.recordLimiter,
    githubServerUrl: deps.githubServerUrl,
    writesReports: deps.writesReports ?? false,
    viewer: deps.viewerOf?.(repository, accessRequest, effectiveSettings.settings) ?? defaultViewer,
    appStatus: () => accessRequest.waitForGithub(async () => (await deps.appStatusOf?.(repository)) ?? noApp),
    lookUpRepository: async (owner, repo) => (await deps.access.lookUp({ ...accessRequest, owner, repo }))?.id ?? null,
  }
}
