import { randomBytes } from 'node:crypto'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { z } from 'zod'
import type { PrismaClient } from '../../db/generated/client.ts'

/** What a sealed text is for: a text of one purpose does not open for the other. */
type Purpose = 'session' | 'sign-in'

/** Browsers keep no longer cookie. */
const mostCharacters = 4_096
const fact = 'session_key'

/** The key of all instances: the first one makes it. */
export async function loadSessionKey(prisma: PrismaClient): Promise<Uint8Array> {
  const value = randomBytes(32).toString('base64url')
  await prisma.fact.createMany({ data: [{ name: fact, value }], skipDuplicates: true })
  const found = await prisma.fact.findUniqueOrThrow({ where: { name: fact } })
  return Buffer.from(String(found.value), 'base64url')
}

/** Encrypts what only this service can read again, until its end. `key` has 32 bytes. */
export function createSeal(key: Uint8Array) {
  return {
    seal: (purpose: Purpose, claims: Record<string, unknown>, ms: number): Promise<string> =>
      new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(Date.now() + ms))
        .encrypt(key),

    /** Null where it is over, was changed, or is none of ours. */
    async open<Claims extends z.ZodType>(purpose: Purpose, schema: Claims, text: string | null) {
      if (text === null || text.length > mostCharacters) return null
      try {
        const { payload } = await jwtDecrypt(text, key, {
          audience: purpose,
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        return schema.safeParse(payload).data ?? null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}
