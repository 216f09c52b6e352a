import type { IncomingHttpHeaders } from 'node:http'
import { credentialsOf, kindOf, type TokenKind } from './token-kind.ts'

/** A request as it came; no token is kept. */
export interface Logged {
  method: string
  /** Path and query. */
  target: string
  /** As GitHub's description writes it, without the names (`GET /repos/{}/{}/pulls`); null for what is not here. */
  operation: string | null
  tokenKind: TokenKind
  headers: IncomingHttpHeaders
  /** Null as long as nothing was answered, or when nothing was. */
  status: number | null
}

export function logged(
  request: Pick<Logged, 'method' | 'target' | 'operation'> & { headers: IncomingHttpHeaders },
): Logged {
  const { authorization, ...headers } = request.headers
  return { ...request, headers, tokenKind: kindOf(credentialsOf(authorization)), status: null }
}
