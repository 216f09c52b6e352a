import express, { type Express } from 'express'
import { notFound } from '../errors.ts'
import type { Log } from '../log.ts'
import { errorHandler } from './error-handler.ts'
import { metricsRouter, type Scraped } from './metrics-route.ts'
import { requestHeaders } from './request-headers.ts'

/** `/metrics` and nothing else, for a port of its own. Scrapes stand in no log and in no metric. */
export function createMetricsApp(metrics: Scraped, token: string | undefined, log: Log): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  app.use(requestHeaders)
  app.use(metricsRouter(metrics, token))
  app.use(() => {
    throw notFound()
  })
  app.use(errorHandler(log))
  return app
}
