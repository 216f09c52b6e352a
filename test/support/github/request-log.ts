import type { IncomingHttpHeaders } from 'node:http'
import { credentialsOf, kindOf, type TokenKind } from './token-kind.ts'

/** A request, without its token. */
export interface LoggedRequest {
  method: string
  /** Path and query. */
  target: string
  /** The operation without parameter names (`GET /repos/{}/{}/pulls`); null for an unknown one. */
  operation: string | null
  tokenKind: TokenKind
  headers: IncomingHttpHeaders
  /** Null until there is a response. */
  status: number | null
}

export function newLogEntry(
  request: Pick<LoggedRequest, 'method' | 'target' | 'operation'> & { headers: IncomingHttpHeaders },
): LoggedRequest {
  const { authorization, ...headers } = request.headers
  return { ...request, headers, tokenKind: kindOf(credentialsOf(authorization)), status: null }
}
