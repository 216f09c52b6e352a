import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'

/** What ends before its sealed text expires: a code that was used, a session that the person signed out of. */
export type Spent = 'used-code' | 'signed-out'

/** Longer than any sealed text is valid, even if the clocks of the instances differ, in ms. */
const rememberedMs = 9 * 3_600_000

const hashOf = (id: string) => createHash('sha256').update(id).digest('base64url')

/** Saves that this has ended, by a hash of its id. False if any instance has saved it before. */
export async function spend({ prisma }: Database, what: Spent, id: string, now: Date): Promise<boolean> {
  const spent = { what, hash: hashOf(id), spent_at: now }
  const { count } = await prisma.spentSeal.createMany({ data: [spent], skipDuplicates: true })
  return count === 1
}

export async function isSpent({ prisma }: Database, what: Spent, id: string): Promise<boolean> {
  return (await prisma.spentSeal.count({ where: { what, hash: hashOf(id) } })) === 1
}

/** Deletes the entries whose sealed texts have surely expired. */
export async function forgetSpent({ prisma }: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - rememberedMs)
  const { count } = await prisma.spentSeal.deleteMany({ where: { spent_at: { lte: until } } })
  return count
}
