import type { RequestHandler } from 'express'
import { invalidField } from '../errors.ts'

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port; it may be empty (RFC 9110, 7.2). */
const valid = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * Refuses a request that names two hosts, or what is none (RFC 9112, 3.2): whoever stands before us may have understood
 * another one. We ourselves make nothing of it.
 */
export const plainHost: RequestHandler = ({ headers: { host }, rawHeaders }, _response, next) => {
  if (host !== undefined && !valid.test(host)) throw invalidField('Host', 'invalid_value', 'is no host')
  let count = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') count++
  if (count > 1) throw invalidField('Host', 'duplicate', 'must be there once')
  next()
}
