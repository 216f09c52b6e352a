import { type RequestHandler, Router } from 'express'
import { docsPage } from '../docs/docs-page.ts'
import { docsStyle } from '../docs/docs-style.ts'
import { llmsTxt } from '../docs/llms-txt.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { buildDocument } from '../openapi/document.ts'

/** The page loads nothing from another host. It has no script. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The pages that need no token (docs/rules.md#public-pages). */
export function docsRouter(): Router {
  const router = Router({ caseSensitive: true })
  serve(router, '/api/v1/openapi.json', 'application/json', () => `${JSON.stringify(buildDocument())}\n`)
  serve(router, '/docs', 'text/html', docsPage)
  serve(router, '/docs/style.css', 'text/css', () => docsStyle)
  serve(router, '/llms.txt', 'text/plain', llmsTxt)
  return router
}

/** Serves a text that is made on the first request and then kept. */
function serve(router: Router, path: string, type: string, make: () => string) {
  let text: Buffer | undefined
  const handler: RequestHandler = (_request, response) => {
    text ??= Buffer.from(make())
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Content-Type', `${type}; charset=utf-8`)
    response.send(text)
  }
  const route = router.route(path)
  route.get(handler)
  route.all(methodNotAllowed('GET, HEAD'))
}
