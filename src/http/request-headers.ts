import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/**
 * What every answer carries, probes and 404s included: `X-Request-Id`, the caller's own where it is acceptable
 * (decisions §8), and that no cache may show one caller's answer to another (decisions §2).
 */
export const requestHeaders: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id')
  const requestId = given !== undefined && acceptable.test(given) ? given : randomUUID()
  response.locals.requestId = requestId
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('Cache-Control', 'private, no-cache')
  response.setHeader('Vary', 'Authorization')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  // `no-cache` of a request speaks to caches on the way. Express would answer it with 200 where 304 is right, and
  // `fetch` sends it along with every If-None-Match.
  delete request.headers['cache-control']
  next()
}
