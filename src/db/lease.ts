import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export interface Lease {
  /** Holds it on; false where another instance has taken it meanwhile. */
  renew(): Promise<boolean>
}

/**
 * Does the work where no other instance is at the work of that name, and holds it for `holdMs` at a time: whoever crashes
 * loses it then. Undefined where another one holds it. A row, since the locks of a session do not work behind a pooler of
 * transactions; in the database's own time, since the instances' clocks differ.
 */
export async function withLease<Result>(
  { pool }: Database,
  { name, holdMs }: { name: string; holdMs: number },
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const row = `lease:${name}`
  const holder = randomUUID()
  const { rowCount } = await pool.query(
    `insert into service_facts (name, value, updated_at)
     values ($1, jsonb_build_object('holder', $2::text, 'ms', $3::integer), clock_timestamp())
     on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
      where service_facts.updated_at + (service_facts.value->>'ms')::integer * interval '1 millisecond' <= clock_timestamp()`,
    [row, holder, holdMs],
  )
  if (rowCount !== 1) return undefined
  const mine = `name = $1 and value->>'holder' = $2`
  try {
    return await work({
      async renew() {
        const renewed = await pool.query(`update service_facts set updated_at = clock_timestamp() where ${mine}`, [
          row,
          holder,
        ])
        return renewed.rowCount === 1
      },
    })
  } finally {
    await pool.query(`delete from service_facts where ${mine}`, [row, holder])
  }
}
