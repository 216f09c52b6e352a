import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'

const prefix = 'used-code:'

/** How long the use of a code is remembered, in ms: far longer than the code opens, whatever the clocks of the instances say. */
const rememberedMs = 3_600_000

const nameOf = (id: string) => `${prefix}${createHash('sha256').update(id).digest('base64url')}`

/** Claims a code for its one use. False where any instance has claimed it before. */
export async function useCode(db: Database, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into service_facts (name, value, updated_at) values ($1, 'true', $2) on conflict do nothing`,
    [nameOf(id), now],
  )
  return rowCount === 1
}

export async function isUsedCode(db: Database, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from service_facts where name = $1', [nameOf(id)])
  return rowCount === 1
}

/** Deletes the uses of codes that no longer open. */
export async function forgetUsedCodes(db: Database, now: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from service_facts where name like '${prefix}%' and updated_at <= $1`, [
    new Date(now.getTime() - rememberedMs),
  ])
  return rowCount ?? 0
}
