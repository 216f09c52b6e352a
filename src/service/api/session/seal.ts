import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { z } from 'zod'

/** What a sealed text is for. A text that was sealed for one purpose does not open for another. */
export type Purpose = 'session' | 'handover' | 'sign-in'

export interface Seal {
  /** Encrypts the claims. The text opens until `endsAt`. */
  seal(purpose: Purpose, claims: Record<string, string>, endsAt: Date): Promise<string>
  /**
   * The claims and the end of a sealed text; null if it has expired, was changed, has another key or purpose, or is no
   * sealed text.
   */
  open<Claims extends z.ZodType>(
    purpose: Purpose,
    schema: Claims,
    text: string,
  ): Promise<{ claims: z.output<Claims>; endsAt: Date } | null>
}

/** The length of the longest cookie that browsers keep. No sealed text is longer. */
const mostCharacters = 4_096

/** Seals texts that only this service can read: JWTs, encrypted with AES-256-GCM. `key` has 32 bytes. */
export function createSeal({ key, now }: { key: Uint8Array; now: () => Date }): Seal {
  return {
    async seal(purpose, claims, endsAt) {
      return await new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(endsAt)
        .encrypt(key)
    },
    async open(purpose, schema, text) {
      if (text.length > mostCharacters) return null
      try {
        const { payload } = await jwtDecrypt(text, key, {
          audience: purpose,
          currentDate: now(),
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        })
        const parsed = schema.safeParse(payload)
        return parsed.success ? { claims: parsed.data, endsAt: new Date((payload.exp ?? 0) * 1000) } : null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}
