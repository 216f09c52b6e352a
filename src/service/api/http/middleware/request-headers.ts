import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own request id if it is valid, else a new one (docs/rules.md#request-ids). */
function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
}

/**
 * The headers of every response. No cache may show one caller's response to another (docs/rules.md#response-headers).
 */
function commonHeaders(requestId: string) {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    'X-Content-Type-Options': 'nosniff',
  }
}

/** Gives each request its id, and each response the common headers, also those of probes and 404s. */
export const requestHeaders: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request.headers['x-request-id'])
  response.locals.requestId = requestId
  for (const [name, value] of Object.entries(commonHeaders(requestId))) response.setHeader(name, value)
  // `no-cache` of a request is meant for caches on the way. Express would respond with 200 instead of 304 because of it,
  // and `fetch` sends it with every If-None-Match.
  delete request.headers['cache-control']
  next()
}
