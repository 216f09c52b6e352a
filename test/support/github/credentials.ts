import { createVerify } from 'node:crypto'
import { z } from 'zod'
import { badCredentials, failure, needsJsonWebToken, type Reply } from './route.ts'
import { credentialsOf, isJsonWebToken } from './token-kind.ts'
import type { Token, World } from './world.ts'

/** Who asks: a token, the App, nobody; or the refusal. */
export type Asker = { token: Token | null; isApp: boolean } | { refusal: Reply }

export function readCredentials(world: World, authorization: string | undefined): Asker {
  const credentials = credentialsOf(authorization)
  if (credentials === undefined) return { token: null, isApp: false }
  if (isJsonWebToken(credentials)) {
    const refusal = refusalOfJsonWebToken(world, credentials)
    return refusal === null ? { token: null, isApp: true } : { refusal }
  }
  const token = world.tokens.get(credentials)
  return token !== undefined && isValid(world, token) ? { token, isApp: false } : { refusal: badCredentials() }
}

function isValid(world: World, { expiresAt, installationId }: Token): boolean {
  if (expiresAt !== null && expiresAt <= world.now()) return false
  return installationId === null || world.installations.has(installationId)
}

const Claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() })

/** What GitHub checks of the token that an App signs: the key, whose it is, and that it is valid now, for 10 minutes at most. */
function refusalOfJsonWebToken({ app }: World, jwt: string): Reply | null {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`)
  if (!verify.verify(app.publicKey, signature, 'base64url')) return needsJsonWebToken()
  const parsed = Claims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  if (!parsed.success || String(parsed.data.iss) !== String(app.id)) return needsJsonWebToken()
  const { iat, exp } = parsed.data
  // Of this machine's clock, as the App's is: a world's clock may stand still.
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
