import { expect, vi } from 'vitest'
import type { Database } from '../../../src/service/db/database.ts'

/** Lets every request that needs the activities wait in the middle of its work. */
export async function holdActivities({ pool }: Database) {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('lock table activities in access exclusive mode')
  return {
    /** Until so many statements wait for the table. */
    async untilWaiting(count: number) {
      await vi.waitFor(async () => {
        const { rows } = await client.query<{ count: string }>(
          `select count(*) from pg_locks where relation = 'activities'::regclass and not granted`,
        )
        expect(Number(rows[0]?.count)).toBe(count)
      }, 20_000)
    },
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}
