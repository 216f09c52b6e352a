import type { Pool } from 'pg'
import { Prisma } from '../db/generated/client.ts'
import { isLive } from '../records/lifecycle.ts'

const { raw, sql } = Prisma

/** A sum of hashes of id and `updated_at`: whatever is written, ends, or is not live any more by its time moves it. */
const digest = (table: string, id: Prisma.Sql, condition: Prisma.Sql) =>
  sql`(select row(count(*), sum(hashtextextended(${id}, (extract(epoch from updated_at) * 1000)::bigint)))
         from ${raw(table)} where repository_id = followed.id and ${condition})`

/** A commit that is not done is in no snapshot, so none is missed. A heartbeat moves no `updated_at`. */
const statement = (ids: readonly bigint[], now: Date) => sql`
  select followed.id, md5(concat_ws(' ',
    ${digest('activities', sql`id`, isLive(now))},
    ${digest('notables', sql`id || coalesce(applies_until > ${now}, true)`, sql`status = 'active' and expires_at > ${now}`)},
    ${digest('pull_requests', sql`number::text`, sql`is_open`)},
    ${digest('repositories', sql`''`, sql`true`)})) as version
  from unnest(${ids}::bigint[]) as followed(id)`

/** The versions of these repositories, by one statement. */
export async function versionsOf({ pool, now }: { pool: Pool; now: Date }, ids: readonly bigint[]) {
  const { rows } = await pool.query<{ id: string; version: string }>(statement(ids, now))
  return new Map(rows.map(({ id, version }) => [BigInt(id), version]))
}

export async function versionOf(reader: { pool: Pool; now: Date }, id: bigint): Promise<string> {
  return (await versionsOf(reader, [id])).get(id) ?? ''
}
