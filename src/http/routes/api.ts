import { Router } from 'express'
import { activityOperations } from '../../operations/activities.ts'
import type { Operation, OperationDeps } from '../../operations/define.ts'
import { notableOperations } from '../../operations/notables.ts'
import { settingsOperations } from '../../operations/settings.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import type { SlowReaders } from '../server/slow-readers.ts'

/** Every route of the API; the OpenAPI document is made from the same table. */
export const allOperations: readonly Operation[] = [...activityOperations, ...notableOperations, ...settingsOperations]

/** A path without parameters comes first, as in OpenAPI: `/activity/check` is no activity called "check". */
function literalFirst(a: string, b: string): number {
  return Number(a.includes('/:')) - Number(b.includes('/:'))
}

/** Everything below `/api/v1`. A known path with another method is 405 with `Allow`. */
export function apiRouter(deps: OperationDeps, unread: SlowReaders): Router {
  const router = Router({ caseSensitive: true })
  const paths = [...new Set(allOperations.map((route) => route.path))].sort(literalFirst)
  for (const path of paths) {
    const served = allOperations.filter((route) => route.path === path)
    const registered = router.route(`/repos/:owner/:repo${path}`)
    // For the log and the metrics, refusals included.
    registered.all((_request, response, next) => {
      response.locals.route = `/api/v1/repos/:owner/:repo${path}`
      next()
    })
    for (const route of served) {
      registered[route.method](async (request, response) => {
        await route.serve(deps, request, response)
        unread.watch(response)
      })
    }
    const allow = served
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .join(', ')
    registered.all(methodNotAllowed(allow))
  }
  return router
}
