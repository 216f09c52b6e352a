import express, { type Express, type RequestHandler } from 'express'
import type { Database } from '../../db/database.ts'
import { type AppError, notFound } from '../../errors.ts'
import type { Log } from '../../lib/log.ts'
import { errorBody, errorHandler } from '../middleware/error-handler.ts'
import { requestHeaders } from '../middleware/request-headers.ts'
import { rejectExpectations, rejectRepeatedHeaders } from '../middleware/validate-headers.ts'
import { healthRouter } from './health.ts'
import { metricsRouter, type Scraped } from './metrics.ts'

export interface MetricsAppDeps {
  metrics: Scraped
  token: string | undefined
  log: Log
  db: Database
  isStopping(): boolean
}

/** The page that explains the codes is on the other port. */
export function bodyWithoutPage(error: AppError, requestId: string) {
  const { documentation_url: _, ...rest } = errorBody(error, requestId).error
  return { error: rest }
}

const refusalsWithoutPage: RequestHandler = (_request, response, next) => {
  response.locals.refusalBody = bodyWithoutPage
  next()
}

/**
 * `/metrics` and the probes, for a port of its own: there probes wait behind no burst of clients that connect. Neither stands
 * in a log or in a metric.
 */
export function createMetricsApp({ metrics, token, log, db, isStopping }: MetricsAppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  app.use(refusalsWithoutPage)
  app.use(requestHeaders)
  app.use(rejectExpectations, rejectRepeatedHeaders)
  app.use(healthRouter(db, isStopping))
  app.use(metricsRouter(metrics, token))
  app.use(() => {
    throw notFound()
  })
  app.use(errorHandler(log))
  return app
}
