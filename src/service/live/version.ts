import type { Pool } from 'pg'

/** A sum of hashes of id and `updated_at`: whatever is written, ends, or is not live any more by its time moves it. */
const digest = (table: string, id: string, isLive: string) =>
  `(select row(count(*), sum(hashtextextended(${id}, (extract(epoch from updated_at) * 1000)::bigint)))
      from ${table} where repository_id = followed.id and ${isLive})`

/** A commit that is not done is in no snapshot, so none is missed. A heartbeat moves no `updated_at`. */
const statement = `
  select followed.id, md5(concat_ws(' ',
    ${digest('activities', 'id', 'ended_at is null and (expires_at > $2 or expires_at is null)')},
    ${digest('notables', 'id || coalesce(applies_until > $2, true)', "status = 'active' and expires_at > $2")},
    ${digest('pull_requests', 'number::text', 'is_open')},
    ${digest('repositories', "''", 'true')})) as version
  from unnest($1::bigint[]) as followed(id)`

/** The versions of these repositories, by one statement. */
export async function versionsOf({ pool, now }: { pool: Pool; now: Date }, ids: readonly bigint[]) {
  const { rows } = await pool.query<{ id: string; version: string }>(statement, [ids, now])
  return new Map(rows.map(({ id, version }) => [BigInt(id), version]))
}

export async function versionOf(asker: { pool: Pool; now: Date }, id: bigint): Promise<string> {
  return (await versionsOf(asker, [id])).get(id) ?? ''
}
