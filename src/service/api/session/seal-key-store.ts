import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { sealKey } from './seal-key.ts'

const name = 'session_secret'

/**
 * The key that all instances seal with: from the client secret of the App, else from a random secret that the first instance
 * saves in the database.
 */
export async function loadSealKey({ prisma }: Database, clientSecret: string | undefined): Promise<Uint8Array> {
  if (clientSecret !== undefined) return sealKey(clientSecret)
  const value = randomBytes(32).toString('base64url')
  await prisma.serviceFact.createMany({ data: [{ name, value, updated_at: new Date() }], skipDuplicates: true })
  const fact = await prisma.serviceFact.findUniqueOrThrow({ where: { name } })
  return sealKey(String(fact.value))
}
