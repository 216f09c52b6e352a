import type { Database } from '../../db/database.ts'

/** How many calls readings may make for one account in an hour. */
export const callsPerHour = 100
const prefix = 'caller-calls:'

/**
 * Counts a call of a reading against the hour of the account, which begins with its first call. False if none is left. All
 * instances share the count.
 */
export async function takeCall(db: Database, accountId: bigint, now: Date): Promise<boolean> {
  const isOver = `service_facts.updated_at <= $2::timestamptz - interval '1 hour' or service_facts.updated_at > $2`
  const { rowCount } = await db.query(
    `insert into service_facts (name, value, updated_at) values ($1, '1', $2)
     on conflict (name) do update
        set value = case when ${isOver} then '1'::jsonb else to_jsonb((service_facts.value #>> '{}')::integer + 1) end,
            updated_at = case when ${isOver} then excluded.updated_at else service_facts.updated_at end
      where ${isOver} or (service_facts.value #>> '{}')::integer < $3`,
    [`${prefix}${accountId}`, now, callsPerHour],
  )
  return rowCount === 1
}

/** Deletes the counts of hours that are over. */
export async function forgetCalls(db: Database, now: Date): Promise<void> {
  await db.query(
    `delete from service_facts where name like '${prefix}%' and updated_at <= $1::timestamptz - interval '1 hour'`,
    [now],
  )
}
