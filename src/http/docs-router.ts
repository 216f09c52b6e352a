import { type RequestHandler, Router } from 'express'
import { AppError } from '../errors.ts'
import { buildDocument } from './openapi.ts'

/** What is served to readers without a token (decisions §12): all of it is made once, at the start. */
export function docsRouter(): Router {
  const router = Router({ caseSensitive: true })
  const document = Buffer.from(JSON.stringify(buildDocument(), null, 1))
  serve(router, '/api/v1/openapi.json', (_request, response) => {
    response.type('application/json').send(document)
  })
  return router
}

function serve(router: Router, path: string, answer: RequestHandler) {
  const route = router.route(path)
  route.get(answer)
  route.all(() => {
    throw new AppError('method_not_allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } })
  })
}
