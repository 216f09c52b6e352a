import { createVerify } from 'node:crypto'
import { z } from 'zod'
import type { GithubData, Token } from './data.ts'
import { badCredentials, failure, needsJsonWebToken, type Reply } from './route.ts'
import { credentialsOf, isJsonWebToken } from './token-kind.ts'

/** The caller: a token, the App, or nobody; or the refusal. */
export type Caller = { token: Token | null; isApp: boolean } | { refusal: Reply }

export function readCredentials(data: GithubData, authorization: string | undefined): Caller {
  const credentials = credentialsOf(authorization)
  if (credentials === undefined) return { token: null, isApp: false }
  if (isJsonWebToken(credentials)) {
    const refusal = refusalOfJsonWebToken(data, credentials)
    return refusal === null ? { token: null, isApp: true } : { refusal }
  }
  const token = data.tokens.get(credentials)
  return token !== undefined && isValid(data, token) ? { token, isApp: false } : { refusal: badCredentials() }
}

function isValid(data: GithubData, { expiresAt, installationId }: Token): boolean {
  if (expiresAt !== null && expiresAt <= data.now()) return false
  return installationId === null || data.installations.has(installationId)
}

const Claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() })

/** Checks a JWT of the App as GitHub does: its key, its issuer, and that it is valid now, for at most 10 minutes. */
function refusalOfJsonWebToken({ app }: GithubData, jwt: string): Reply | null {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`)
  if (!verify.verify(app.publicKey, signature, 'base64url')) return needsJsonWebToken()
  const parsed = Claims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  if (!parsed.success || String(parsed.data.iss) !== String(app.id)) return needsJsonWebToken()
  const { iat, exp } = parsed.data
  // The clock of this machine, as in the App: the clock of a test may be stopped.
  const now = Date.now() / 1000
  if (exp <= now)
    return failure(401, "'Expiration time' claim ('exp') must be a numeric value representing a future time")
  if (exp > now + 600) return failure(401, "'Expiration time' claim ('exp') is too far in the future")
  if (iat > now + 1)
    return failure(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  return null
}
