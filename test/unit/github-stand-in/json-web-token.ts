import { createSign } from 'node:crypto'
import type { App } from '../../support/github/data.ts'

/** A JWT of the App. Times are in seconds from now. */
export function jsonWebToken(
  app: Pick<App, 'id' | 'privateKey'>,
  { issuer = app.id, expiresIn = 300 }: { issuer?: number | string; expiresIn?: number } = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 30, exp: now + expiresIn, iss: issuer })}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(app.privateKey, 'base64url')}`
}
