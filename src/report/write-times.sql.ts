import type { Database } from '../db/database.ts'

const prefix = 'report-writes:'

/** When the check runs of an owner's repositories were written, in ms. One instance at a time writes them. */
export async function loadWriteTimes(db: Database, owner: string): Promise<number[]> {
  const { rows } = await db.query<{ value: unknown }>('select value from service_facts where name = $1', [
    prefix + owner,
  ])
  const value = rows[0]?.value
  return Array.isArray(value) ? value.map(Number) : []
}

export async function saveWriteTimes(db: Database, owner: string, times: readonly number[], now: Date): Promise<void> {
  await db.query(
    `insert into service_facts (name, value, updated_at) values ($1, $2::jsonb, $3)
     on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [prefix + owner, JSON.stringify(times), now],
  )
}
