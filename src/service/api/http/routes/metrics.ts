import { createHash, timingSafeEqual } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import { AppError } from '../../../../core/errors.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'

/** Where the metrics come from. */
export interface MetricsSource {
  contentType: string
  text(): Promise<string>
}

/** Serves `GET /metrics` to callers with the operator's token, or to everyone if no token is set. */
export function metricsRouter(metrics: MetricsSource, token: string | undefined): Router {
  const handler: RequestHandler = async (request, response) => {
    if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`)) {
      throw new AppError('unauthenticated', 'The metrics are for the operator: Authorization: Bearer and the token.')
    }
    response.setHeader('Content-Type', metrics.contentType)
    response.send(await metrics.text())
  }
  const router = Router({ caseSensitive: true })
  const route = router.route('/metrics')
  route.get(handler)
  route.all(methodNotAllowed('GET, HEAD'))
  return router
}

/** Compares in constant time, whatever the length. */
function isSame(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
