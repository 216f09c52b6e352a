import { readFileSync } from 'node:fs'
import { type RequestHandler, Router } from 'express'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { unknownPath } from '../middleware/unknown-path.ts'

/** Where the bundle has the address of the service that hands it out (scripts/bundle-cli.mjs). */
const placeholder = '@HEADSUP_ADDRESS@'

const bundle = new URL('../../../../headsup.mjs', import.meta.url)

/**
 * Serves the command line as one file, `/-/headsup.mjs`, with the address of this service inside
 * (docs/rules.md#client-file). It needs no token. 404 where the bundle was not built.
 */
export function clientFileRouter(file = bundle): Router {
  const router = Router({ caseSensitive: true })
  let text: string | undefined
  const handler: RequestHandler = (request, response, next) => {
    try {
      text ??= readFileSync(file, 'utf8')
    } catch {
      unknownPath(request, response, next)
      return
    }
    const address = String(response.locals.publicUrl)
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    response.setHeader('Content-Disposition', 'attachment; filename="headsup.mjs"')
    response.send(text.replace(placeholder, () => JSON.stringify(address).slice(1, -1)))
  }
  const route = router.route('/-/headsup.mjs')
  route.get(handler)
  route.all(methodNotAllowed('GET, HEAD'))
  return router
}
