import { listFor } from '../../core/lib/maps.ts'
import type { Database } from '../db/database.ts'
import { epochSql } from '../db/sql/epoch.ts'

/** A change in the log. What changed is in the record itself. */
export interface Change {
  /** `repository`: so much changed that readers begin anew. Such a change names no record. */
  kind: 'activity' | 'notable' | 'repository'
  id: string
}

/** A change, and how long ago it was written, in ms. */
export interface LoggedChange extends Change {
  delayMs: number
}

/** A place in the change log: exactly what was committed before it is known (docs/rules.md#change-log). */
export interface Position {
  /** Changes with a restart, a failover or a restore of the server. Positions of two epochs can not be compared. */
  epoch: string
  /** All of `pg_current_snapshot()`. */
  snapshot: string
}

/** From where on the changes of a repository are read. */
export interface ReadFrom {
  repositoryId: bigint
  position: Position
}

/** How many changes of a repository are read at a time. Where there are more, its reader begins anew. */
export const mostChanges = 5_000

/** How long changes are kept after their commit, in ms. */
const keptMs = 3_600_000

const deletedFact = 'change_log_deleted_until'

interface Row extends Position {
  n: number | null
  is_kept: boolean
  kind: Change['kind'] | null
  record_id: string
  delay_ms: number
}

/**
 * The changes that were committed since each of these positions, each once, and the position to go on from: undefined where
 * they are not all in the log any more, or too many. One statement, and so one snapshot.
 */
export async function readChangeLog(
  db: Pick<Database, 'query'>,
  from: readonly ReadFrom[],
): Promise<{ position: Position; changes: (LoggedChange[] | undefined)[] }> {
  const { rows } = await db.query<Row>(
    `select epoch, place.snapshot::text, n::int, is_kept, change.kind, change.record_id,
            (extract(epoch from clock_timestamp() - change.at) * 1000)::float8 as delay_ms
       from (select left(md5(${epochSql('change_log')}), 16) as epoch, pg_current_snapshot() as snapshot,
                    (select (value #>> '{}')::xid8 from service_facts where name = '${deletedFact}') as deleted) as place
       left join unnest($1::bigint[], $2::pg_snapshot[]) with ordinality as reader(repository_id, snapshot, n) on true
       cross join lateral (select coalesce(deleted < pg_snapshot_xmin(reader.snapshot), true) as is_kept) as kept
       left join lateral (
         select kind, record_id, at from change_log
          where repository_id = reader.repository_id and txid >= pg_snapshot_xmin(reader.snapshot)
            and not pg_visible_in_snapshot(txid, reader.snapshot)
          order by txid, seq limit $3) as change on is_kept`,
    [from.map(({ repositoryId }) => repositoryId), from.map(({ position }) => position.snapshot), mostChanges + 1],
  )
  const [first] = rows
  if (!first) throw new Error('The database did not say where its change log ends')
  const { epoch, snapshot } = first
  const byReader = new Map<number | null, Row[]>()
  for (const row of rows) listFor(byReader, row.n).push(row)
  const changes = from.map(({ position }, index) => {
    const own = listFor(byReader, index + 1)
    if (position.epoch !== epoch || own.length > mostChanges || !own.every(({ is_kept }) => is_kept)) return undefined
    return own.flatMap(({ kind, record_id: id, delay_ms: delayMs }) => (kind === null ? [] : { kind, id, delayMs }))
  })
  return { position: { epoch, snapshot }, changes }
}

/**
 * Deletes up to `size` changes that every reader of the last hour has seen: those of transactions that had ended before the
 * oldest one that was open an hour ago. Each run marks the oldest that is open now.
 */
export async function deleteOldChanges(db: Pick<Database, 'query'>, now: Date, size: number): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>(
    `with marked as (
       insert into change_log (repository_id, kind, record_id, at)
       values (0, 'mark', pg_snapshot_xmin(pg_current_snapshot())::text, $3)),
     old as (
       delete from change_log where (repository_id, txid, seq) in (
         select repository_id, txid, seq from change_log
          where at <= $1 and txid < pg_snapshot_xmin(pg_current_snapshot()) and txid < (
            select record_id::xid8 from change_log where repository_id = 0 and at <= $1 order by txid desc limit 1)
          order by at limit $2 for update skip locked)
       returning txid),
     remembered as (
       insert into service_facts as fact (name, value, updated_at)
       select '${deletedFact}', to_jsonb(max(txid::text::numeric)::text), $3 from old having count(*) > 0
       on conflict (name) do update
         set value = to_jsonb(greatest((fact.value #>> '{}')::numeric, (excluded.value #>> '{}')::numeric)::text))
     select count(*)::int as deleted from old`,
    [new Date(now.getTime() - keptMs), size, now],
  )
  return rows[0]?.deleted ?? 0
}
