import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export interface Lease {
  /** Extends the lease; false if another instance has taken it. */
  renew(): Promise<boolean>
}

/**
 * Runs the work if no other instance holds the lease of that name. A lease lasts `holdMs`, so the lease of a crashed
 * instance expires. Returns undefined if another instance holds it. The lease is a row, because a pooler in transaction
 * mode breaks the locks of a session. It uses the time of the database, because the clocks of the instances differ.
 */
export async function withLease<Result>(
  db: Database,
  { name, holdMs }: { name: string; holdMs: number },
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const row = `lease:${name}`
  const holder = randomUUID()
  const { rowCount } = await db.query(
    `insert into service_facts (name, value, updated_at)
     values ($1, jsonb_build_object('holder', $2::text, 'ms', $3::integer), clock_timestamp())
     on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
      where service_facts.updated_at + (service_facts.value->>'ms')::integer * interval '1 millisecond' <= clock_timestamp()`,
    [row, holder, holdMs],
  )
  if (rowCount !== 1) return undefined
  const own = `name = $1 and value->>'holder' = $2`
  const renew = `update service_facts set updated_at = clock_timestamp() where ${own}`
  try {
    return await work({ renew: async () => (await db.query(renew, [row, holder])).rowCount === 1 })
  } finally {
    await db.query(`delete from service_facts where ${own}`, [row, holder])
  }
}
