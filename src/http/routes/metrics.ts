import { createHash, timingSafeEqual } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import { AppError } from '../../errors.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'

/** What a scrape gets. */
export interface Scraped {
  contentType: string
  text(): Promise<string>
}

/** `GET /metrics`, for whoever shows the operator's token; without a token set, for whoever reaches it. */
export function metricsRouter(metrics: Scraped, token: string | undefined): Router {
  const answer: RequestHandler = async (request, response) => {
    if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`)) {
      throw new AppError('unauthenticated', 'The metrics are for the operator: Authorization: Bearer and the token.')
    }
    response.setHeader('Content-Type', metrics.contentType)
    response.send(await metrics.text())
  }
  const router = Router({ caseSensitive: true })
  const route = router.route('/metrics')
  route.get(answer)
  route.all(methodNotAllowed('GET, HEAD'))
  return router
}

/** In the same time wherever they differ, and however long they are. */
function isSame(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
