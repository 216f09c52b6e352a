import type { RequestHandler } from 'express'
import type { Log } from '../log.ts'

/**
 * One line a request: the route's pattern and GitHub's repository id, never the path or the query, which hold callers'
 * data.
 */
export function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint()
    response.once('close', () => {
      const { requestId, repositoryId, route } = response.locals
      log.info(
        {
          request_id: requestId,
          method: request.method,
          route: route ?? (`${request.baseUrl}${request.route?.path ?? ''}` || undefined),
          repository_id: repositoryId === undefined ? undefined : String(repositoryId),
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Number((process.hrtime.bigint() - started) / 10_000n) / 100,
        },
        'request',
      )
    })
    next()
  }
}
