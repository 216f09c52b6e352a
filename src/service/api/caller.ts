import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { invalidField } from '../../core/errors.ts'
import { unauthenticated } from '../github/access-errors.ts'

/** The token of a request, and whether the page's cookie brought it. */
export interface Credentials {
  token: string
  isSession: boolean
}

/** Throws `unauthenticated` where a request has no token. */
export type ReadCredentials = (request: Request) => Promise<Credentials>

export function bearerToken({ headers }: Request): string {
  const [, token] = /^Bearer +(\S.*)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined) throw unauthenticated()
  return token.trimEnd()
}

/** The address of the client. An IPv6 network is one. */
export function addressOf({ ip }: Request): string {
  return ipKeyGenerator(ip ?? '')
}

/** `Prefer: wait=0`: nothing waits for a reading of the pull requests. */
export function mayWait(request: Request): boolean {
  return !/(?:^|[,;\s])wait=0(?:$|[,;\s])/i.test(request.get('prefer') ?? '')
}

/** The caller's key as it is stored: of this token and this body alone, and neither can be told from it. Null: none was sent. */
export function idempotencyKeyOf(request: Request, token: string, body: Buffer): string | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  // Neither a token nor a key holds a line break.
  return createHash('sha256').update(`${token}\n${key}\n`).update(body).digest('base64url')
}
