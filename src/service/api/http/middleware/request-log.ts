import type { RequestHandler } from 'express'
import type { Log } from '../../../lib/log.ts'
import { runWithContext } from '../../../lib/request-context.ts'
import { type EmitEvent, ignoreEvents } from '../../../lib/service-events.ts'

/**
 * Gives each request a context, emits its start and end, and logs one line: the route's pattern and GitHub's
 * repository id, never the path or the query, which hold callers' data.
 */
export function requestLog(log: Log, emit: EmitEvent = ignoreEvents): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint()
    const { method } = request
    const requestContext = { requestId: response.locals.requestId }
    emit({ kind: 'request_began', requestContext, method, traceparent: request.get('traceparent') })
    response.once('close', () => {
      const { requestId, repositoryId } = response.locals
      const route = response.locals.route ?? (`${request.baseUrl}${request.route?.path ?? ''}` || undefined)
      const status = response.writableFinished ? response.statusCode : 'aborted'
      const ms = Number((process.hrtime.bigint() - started) / 10_000n) / 100
      const repository_id = repositoryId === undefined ? undefined : String(repositoryId)
      log.info({ request_id: requestId, method, route, repository_id, status, ms }, 'request')
      emit({ kind: 'request', requestContext, method, route, status, ms })
    })
    runWithContext(requestContext, next)
  }
}
