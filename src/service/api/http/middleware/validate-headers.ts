import type { RequestHandler } from 'express'
import { AppError, invalidField } from '../../../../core/errors.ts'

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port; it may be empty (RFC 9110, 7.2). */
const validHost = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Headers that the service decides by, and that are not lists. Node's parser refuses a second `Content-Length` itself. */
const single = new Map(
  [
    'Authorization',
    'Content-Type',
    'Host',
    'Idempotency-Key',
    'Origin',
    'Sec-Fetch-Site',
    'X-GitHub-Delivery',
    'X-GitHub-Event',
    'X-Hub-Signature-256',
  ].map((name) => [name.toLowerCase(), name]),
)

/** The client may or may not send the body. Closing the connection keeps it from being read as the next request. */
const closing = { headers: { Connection: 'close' } }

/** Refuses what Node's parser accepts although it is not HTTP/1.1, and transfer codings that Node would not decode. */
export const rejectUnknownProtocols: RequestHandler = ({ headers, httpVersion }, _response, next) => {
  const { 'transfer-encoding': coding } = headers
  if (!/^1\.[01]$/.test(httpVersion)) {
    throw new AppError('malformed_request', 'The request is neither HTTP/1.0 nor HTTP/1.1.', closing)
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new AppError('malformed_request', 'The only supported transfer coding is chunked.', closing)
  }
  next()
}

/**
 * Refuses a request with one of these headers twice, or with an invalid `Host` (RFC 9112, 3.2). Node would keep the first
 * or join the two, while a proxy may have checked the other one.
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
