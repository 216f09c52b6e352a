import type { RequestHandler } from 'express'
import { AppError, invalidField } from '../../errors.ts'

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port; it may be empty (RFC 9110, 7.2). */
const validHost = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** The headers that decide something here, and are no lists. Node's parser itself refuses a second length. */
const single = new Map(
  [
    'Authorization',
    'Content-Type',
    'Host',
    'Idempotency-Key',
    'Origin',
    'X-GitHub-Delivery',
    'X-GitHub-Event',
    'X-Hub-Signature-256',
  ].map((name) => [name.toLowerCase(), name]),
)

/** A client that was refused may send its body all the same, or not: another request could not be told from it. */
const closing = { headers: { Connection: 'close' } }

/**
 * What Node would refuse by itself: no host (RFC 9112, 3.2), and an expectation that nobody knows; HTTP/1.0 has neither. And a
 * body in a coding beside `chunked`, which Node would hand on as it came; and a version that its parser knows, and nobody speaks.
 */
export const rejectExpectations: RequestHandler = ({ headers, httpVersion }, _response, next) => {
  const { host, expect, 'transfer-encoding': coding } = headers
  if (!/^1\.[01]$/.test(httpVersion)) {
    throw new AppError('malformed_request', 'This is no request of HTTP/1.1.', closing)
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new AppError('malformed_request', 'Of transfer codings only chunked is read.', closing)
  }
  if (httpVersion !== '1.1') return next()
  if (host === undefined) {
    const details = [{ field: 'Host', code: 'required' as const, message: 'is missing' }]
    throw new AppError('validation_failed', 'Host: is missing', { details, ...closing })
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed', 'Of expectations only 100-continue is met.', closing)
  }
  next()
}

/**
 * Refuses a request that says one of these twice, or whose host is none (RFC 9112, 3.2). Node would keep the first, or join
 * the two; whoever stands before us may have judged the other one.
 */
export const rejectRepeatedHeaders: RequestHandler = ({ headers: { host }, rawHeaders }, _response, next) => {
  if (host !== undefined && !validHost.test(host)) throw invalidField('Host', 'invalid_value', 'is no host')
  const seen = new Set<string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = single.get(rawHeaders[n]?.toLowerCase() ?? '')
    if (name === undefined) continue
    if (seen.has(name)) throw invalidField(name, 'duplicate', 'must be there once')
    seen.add(name)
  }
  next()
}
