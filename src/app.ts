import express, { type Express } from 'express'
import { defaultRecordLimits, type RecordLimits } from './config/record-limits.ts'
import type { Context, Repository, WaitForGithub } from './context.ts'
import type { Database } from './db/database.ts'
import type { GithubAccess } from './github/access/access.ts'
import type { Delivery, Outcome } from './github/receive-webhook.ts'
import { limitRequests } from './http/limits/rate-limit.ts'
import { createRequestSlots, deliveryBounds, type SlotBounds } from './http/limits/request-slots.ts'
import { createTurns, type RequestBounds, requestBounds } from './http/limits/request-turn.ts'
import { errorHandler } from './http/middleware/error-handler.ts'
import { requestHeaders } from './http/middleware/request-headers.ts'
import { requestLog } from './http/middleware/request-log.ts'
import { unknownPath } from './http/middleware/unknown-path.ts'
import { rejectRepeatedHeaders, rejectUnknownProtocols } from './http/middleware/validate-headers.ts'
import { apiRouter } from './http/routes/api.ts'
import { docsRouter } from './http/routes/docs.ts'
import { healthRouter } from './http/routes/health.ts'
import { metricsRouter, type Scraped } from './http/routes/metrics.ts'
import type { ServeDeps } from './http/routes/serve-operation.ts'
import { webhookRouter } from './http/routes/webhooks.ts'
import { slowReaderLimits, trackSlowReaders } from './http/server/slow-readers.ts'
import { type EmitEvent, ignoreEvents } from './lib/events.ts'
import type { Log } from './lib/log.ts'
import { jsonRpcErrors } from './mcp/json-rpc-errors.ts'
import { mcpRouter } from './mcp/router.ts'
import type { AccessRequest } from './operations/define.ts'
import { createRecordLimiter, type RecordLimiter } from './repository/record-limits.ts'
import { createGlobCache, type ReadGlob } from './scope/glob/glob-cache.ts'
import type { EffectiveSettings } from './settings/effective.ts'

export interface AppDeps {
  db: Database
  access: GithubAccess
  /** What is in force in a repository now. */
  settingsOf(repository: Repository, wait?: WaitForGithub): Promise<EffectiveSettings>
  log: Log
  now(): Date
  /** In milliseconds. */
  retentionMs: number
  /** Without a final slash. */
  githubServerUrl: string
  /** Whether the process has been told to stop. */
  isStopping(): boolean
  /** Takes GitHub's webhooks; absent without a `WEBHOOK_SECRET`, and then their path is 404. */
  receiveWebhook?: (delivery: Delivery) => Promise<Outcome>
  /** How many requests of a minute each caller may make; absent, as many as they like. */
  requestsPerMinute?: number | undefined
  /** How many records a repository may hold, where that is not the usual. */
  recordLimits?: Partial<RecordLimits>
  /** How many requests are served at once, and how many deliveries, where these are not the usual. */
  bounds?: { requests?: Partial<RequestBounds>; deliveries?: Partial<SlotBounds> }
  /** Told of every request. */
  observe?: EmitEvent
  /** Answers `/metrics` to whoever has the token; absent, that path is 404. */
  metrics?: { source: Scraped; token: string }
}

/** The whole service as an Express application: reads no environment, does not listen. */
export function createApp(deps: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  const { turnOf, deliverySlots, unread } = createBounds(deps)
  app.use(requestHeaders)
  app.use('/mcp', jsonRpcErrors)
  app.use(requestLog(deps.log, deps.observe))
  app.use(rejectUnknownProtocols, rejectRepeatedHeaders)
  app.use(healthRouter(deps.db, deps.isStopping))
  if (deps.receiveWebhook) app.use(webhookRouter(deps.receiveWebhook, deliverySlots))
  if (deps.metrics) app.use(metricsRouter(deps.metrics.source, deps.metrics.token))
  app.use(docsRouter())
  const readGlob = createGlobCache()
  const recordLimiter = createRecordLimiter(deps.db, { ...defaultRecordLimits, ...deps.recordLimits })
  const operationDeps: ServeDeps = {
    authorize: (question) => deps.access.authorize(question),
    settingsOf: deps.settingsOf,
    makeContext: (...given) => makeContext({ ...deps, readGlob, recordLimiter }, ...given),
    turnOf,
  }
  const { requestsPerMinute: perMinute } = deps
  if (perMinute) app.use(['/api/v1', '/mcp'], limitRequests({ perMinute, now: () => deps.now().getTime() }))
  app.use('/api/v1', apiRouter(operationDeps, unread))
  app.use(mcpRouter({ ...operationDeps, log: deps.log }, unread))
  app.use(unknownPath)
  app.use(errorHandler(deps.log))
  return app
}

function createBounds({ log, bounds = {}, observe = ignoreEvents }: AppDeps) {
  const now = () => performance.now()
  const onRefused = (what: 'request' | 'delivery') => () => observe({ kind: 'shed', what })
  const requests = { ...requestBounds, ...bounds.requests }
  const deliveries = { ...deliveryBounds, ...bounds.deliveries }
  return {
    turnOf: createTurns(requests, { log, now, onRefused: onRefused('request') }),
    deliverySlots: createRequestSlots(deliveries, { log, now, onRefused: onRefused('delivery') }),
    unread: trackSlowReaders({ ...slowReaderLimits, now }),
  }
}

type ContextDeps = AppDeps & { readGlob: ReadGlob; recordLimiter: RecordLimiter }

function makeContext(
  deps: ContextDeps,
  repository: Repository,
  effectiveSettings: EffectiveSettings,
  { need: _need, owner: _owner, repo: _repo, ...asking }: AccessRequest,
): Context {
  return {
    db: deps.db,
    now: deps.now(),
    log: deps.log,
    requestId: asking.requestId,
    repository,
    settings: effectiveSettings.settings,
    effectiveSettings,
    retentionMs: deps.retentionMs,
    readGlob: deps.readGlob,
    recordLimiter: deps.recordLimiter,
    githubServerUrl: deps.githubServerUrl,
    lookUpRepository: async (owner, repo) => (await deps.access.lookUp({ ...asking, owner, repo }))?.id ?? null,
  }
}
