import { Router } from 'express'
import { activityOperations } from '../../operations/activities.ts'
import type { Operation } from '../../operations/define.ts'
import { eventOperations } from '../../operations/events.ts'
import { notableOperations } from '../../operations/notables.ts'
import { settingsOperations } from '../../operations/settings.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { type ServeDeps, serveOperation } from './serve-operation.ts'

/** Every operation of the API. The OpenAPI document and the MCP tools are made from the same table. */
export const allOperations: readonly Operation[] = [
  ...activityOperations,
  ...notableOperations,
  ...eventOperations,
  ...settingsOperations,
]

/** Puts paths without parameters first, as OpenAPI does: `/activity/check` is not the activity "check". */
function literalFirst(a: string, b: string): number {
  return Number(a.includes('/:')) - Number(b.includes('/:'))
}

/** Serves all paths below `/api/v1`. A known path with another method is 405 with `Allow`. */
export function apiRouter(deps: ServeDeps): Router {
  const router = Router({ caseSensitive: true })
  const paths = [...new Set(allOperations.map((operation) => operation.path))].sort(literalFirst)
  for (const path of paths) {
    const operations = allOperations.filter((operation) => operation.path === path)
    const route = router.route(`/repos/:owner/:repo${path}`)
    // Errors too are logged and counted with the route.
    route.all((_request, response, next) => {
      response.locals.route = `/api/v1/repos/:owner/:repo${path}`
      next()
    })
    for (const operation of operations) {
      route[operation.method](async (request, response) => {
        await serveOperation(operation, deps, request, response)
        if (!operation.isStream) deps.slowReaders.watch(response)
      })
    }
    const allow = operations
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .join(', ')
    route.all(methodNotAllowed(allow))
  }
  return router
}
