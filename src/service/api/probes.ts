import express, { type Express, Router } from 'express'
import type { Pool } from 'pg'
import { collectDefaultMetrics, register } from 'prom-client'
import { poolConnections } from '../metrics.ts'

collectDefaultMetrics()

/** `/healthz` while the process lives, `/readyz` while requests can be answered. */
export function probes(isReady: () => Promise<boolean>): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  router.get('/readyz', async (_request, response) => {
    const ready = await isReady()
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable' })
  })
  return router
}

/** What `METRICS_PORT` answers: it does so too while the main port has more requests than it can take. */
export function metricsApp(isReady: () => Promise<boolean>, pool: Pool): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(probes(isReady))
  app.get('/metrics', async (_request, response) => {
    const { totalCount, idleCount, waitingCount } = pool
    poolConnections.set({ state: 'busy' }, totalCount - idleCount)
    poolConnections.set({ state: 'idle' }, idleCount)
    poolConnections.set({ state: 'waiting' }, waitingCount)
    response.type(register.contentType).send(await register.metrics())
  })
  app.use((_request, response) => void response.status(404).json({ status: 'not found' }))
  return app
}
