import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'

/** What ends before its sealed text expires: a code that was used, a session that the person signed out of. */
export type Spent = 'used-code' | 'signed-out'

/** Longer than any sealed text is valid, even if the clocks of the instances differ, in ms. */
const rememberedMs = 9 * 3_600_000

const nameOf = (what: Spent, id: string) => `${what}:${createHash('sha256').update(id).digest('base64url')}`

/** Saves that this has ended, by a hash of its id. False if any instance has saved it before. */
export async function spend(db: Database, what: Spent, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into service_facts (name, value, updated_at) values ($1, 'true', $2) on conflict do nothing`,
    [nameOf(what, id), now],
  )
  return rowCount === 1
}

export async function isSpent(db: Database, what: Spent, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from service_facts where name = $1', [nameOf(what, id)])
  return rowCount === 1
}

/** Deletes the entries whose sealed texts have surely expired. */
export async function forgetSpent(db: Database, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from service_facts where (name like 'used-code:%' or name like 'signed-out:%') and updated_at <= $1`,
    [new Date(now.getTime() - rememberedMs)],
  )
  return rowCount ?? 0
}
