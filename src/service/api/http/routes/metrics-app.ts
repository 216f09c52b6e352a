import express, { type Express, type RequestHandler } from 'express'
import { type AppError, notFound } from '../../../../core/errors.ts'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { type ErrorPlace, errorBody, errorHandler } from '../middleware/error-handler.ts'
import { requestHeaders } from '../middleware/request-headers.ts'
import { rejectRepeatedHeaders, rejectUnknownProtocols } from '../middleware/validate-headers.ts'
import { healthRouter } from './health.ts'
import { type MetricsSource, metricsRouter } from './metrics.ts'

export interface MetricsAppDeps {
  metrics: MetricsSource
  token: string | undefined
  log: Log
  db: Database
  isStopping(): boolean
}

/** Without `documentation_url`, as that page is on the other port. */
function bodyWithoutPage(error: AppError, place: ErrorPlace) {
  const { documentation_url: _, ...rest } = errorBody(error, place).error
  return { error: rest }
}

const errorsWithoutPage: RequestHandler = (_request, response, next) => {
  response.locals.refusalBody = bodyWithoutPage
  next()
}

/**
 * Serves `/metrics` and the probes on a port of their own, where probes do not wait behind a burst of new connections. These
 * requests are neither logged nor counted.
 */
export function createMetricsApp({ metrics, token, log, db, isStopping }: MetricsAppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  app.use(errorsWithoutPage)
  app.use(requestHeaders)
  app.use(rejectUnknownProtocols, rejectRepeatedHeaders)
  app.use(healthRouter(db, isStopping))
  app.use(metricsRouter(metrics, token))
  app.use(() => {
    throw notFound()
  })
  app.use(errorHandler(log))
  return app
}
