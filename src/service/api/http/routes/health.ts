import { type RequestHandler, Router } from 'express'
import { AppError } from '../../../../core/errors.ts'
import type { Database } from '../../../db/database.ts'
import { tooOldReason } from '../../../db/least-version.ts'
import { databaseUnavailable } from '../middleware/error-handler.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { sendJson } from '../middleware/send-json.ts'

/** How long readiness waits for the database, in milliseconds. */
const timeoutMs = 2_000

/** `/healthz` is 200 while the process lives, `/readyz` while it can serve (docs/rules.md#probes). */
export function healthRouter(db: Database, isStopping: () => boolean): Router {
  const ready: RequestHandler = async (_request, response) => {
    if (isStopping()) throw new AppError('unavailable', 'The service is stopping.')
    const least = await db.ping(timeoutMs).catch((cause: unknown) => {
      throw databaseUnavailable(cause)
    })
    const refusal = tooOldReason(least)
    if (refusal !== undefined) throw new AppError('unavailable', refusal)
    sendJson(response, { status: 'ready' })
  }
  const router = Router({ caseSensitive: true })
  const alive: RequestHandler = (_request, response) => {
    sendJson(response, { status: 'ok' })
  }
  router.route('/healthz').get(alive).all(methodNotAllowed('GET, HEAD'))
  router.route('/readyz').get(ready).all(methodNotAllowed('GET, HEAD'))
  return router
}
