import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { Seal } from './seal.ts'
import { isSpent, spend } from './spent-store.ts'

/** What a code carries. */
interface Handed {
  token: string
  login: string
}

export interface Handover {
  /** A code that works once, within `handoverSeconds`. */
  codeFor(handed: Handed): Promise<string>
  /** What the code carries; null for a used, expired or unknown one. The code stays unused. */
  peek(code: string): Promise<Handed | null>
  /** The same, and uses the code: no instance accepts it again. */
  use(code: string): Promise<Handed | null>
}

export const handoverSeconds = 30

const Claims = z.object({ id: z.string(), token: z.string(), login: z.string() })

/** Codes that carry the token of the command line to the browser. The token is sealed in them, and saved nowhere. */
export function createHandover({ seal, db, now }: { seal: Seal; db: Database; now: () => Date }): Handover {
  // The id is saved as used, not the text: one code can be spelled in several ways.
  const open = async (code: string) => (await seal.open('handover', Claims, code))?.claims ?? null
  return {
    async codeFor({ token, login }) {
      const endsAt = new Date(now().getTime() + handoverSeconds * 1000)
      return await seal.seal('handover', { id: randomUUID(), token, login }, endsAt)
    },
    async peek(code) {
      const claims = await open(code)
      return claims === null || (await isSpent(db, 'used-code', claims.id)) ? null : claims
    },
    async use(code) {
      const claims = await open(code)
      return claims === null || !(await spend(db, 'used-code', claims.id, now())) ? null : claims
    },
  }
}
