import type { Database } from '../db/database.ts'
import { epochSql } from '../db/epoch.ts'

export type RecordKind = 'activity' | 'notable'

/** A change of a record; what changed is in the record itself. */
export interface Change {
  repositoryId: bigint
  kind: RecordKind
  id: string
}

/** A change in the log, and how long ago it was written, in ms. */
export interface LoggedChange extends Change {
  delayMs: number
}

/** A place in the change log: all changes of transactions before `txid` are known. */
export interface Position {
  /** Changes with a restart, a failover or a restore of the server. Positions of two epochs can not be compared. */
  epoch: string
  txid: string
}

/** How long changes are kept, in ms. */
export const changeLogMs = 3_600_000

/** The end of the log: no transaction before it is still open. */
const position = `
  select left(md5(${epochSql('change_log')}), 16) as epoch,
         pg_snapshot_xmin(pg_current_snapshot()) as txid`

export async function readPosition(db: Database): Promise<Position> {
  const { rows } = await db.query<Position>(`select epoch, txid::text from (${position}) as position`)
  return onlyRow(rows)
}

interface Row extends Position {
  repository_id: bigint | null
  kind: RecordKind
  record_id: string
  delay_ms: number
}

/**
 * The changes in the repositories from the transaction `from` on, each record once, and the position to go on from. One
 * statement, and so one snapshot: a change that commits meanwhile is in the next reading. With `visible`, also those that the
 * next reading will have again, as an older transaction is still open. With `most`, only so many.
 */
export async function readChangeLog(
  db: Database,
  from: string,
  repositoryIds: readonly bigint[],
  { visible = false, most }: { visible?: boolean; most?: number } = {},
): Promise<{ position: Position; changes: LoggedChange[] }> {
  const { rows } = await db.query<Row>(
    `select epoch, position.txid::text, change.*, (extract(epoch from clock_timestamp() - change.at) * 1000)::float8 as delay_ms
       from (${position}) as position
       left join lateral (
         select repository_id, kind, record_id, min(at) as at from change_log
          where repository_id = any($2) and txid >= $1::text::xid8 ${visible ? '' : 'and txid < position.txid'}
          group by repository_id, kind, record_id limit $3) as change on true`,
    [from, repositoryIds, most ?? null],
  )
  const { epoch, txid } = onlyRow(rows)
  const changes = rows.flatMap(({ repository_id: repositoryId, kind, record_id: id, delay_ms: delayMs }) =>
    repositoryId === null ? [] : { repositoryId, kind, id, delayMs },
  )
  return { position: { epoch, txid }, changes }
}

function onlyRow<Row extends Position>([row]: Row[]): Row {
  if (!row) throw new Error('The database did not say where its change log ends')
  return row
}

const deletedFact = 'change_log_deleted_until'

/** Whether all changes from this position on are still in the log. False also in another epoch. */
export async function isInLog(db: Database, { epoch, txid }: Position): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>(
    `select epoch = $1 and $2::text::xid8 <= position.txid and not exists (
              select from service_facts where name = '${deletedFact}' and (value #>> '{}')::xid8 >= $2::text::xid8) as known
       from (${position}) as position`,
    [epoch, txid],
  )
  return rows[0]?.known ?? false
}

/** Deletes up to `size` changes that were written at `until` or before, and remembers how far the log was deleted. */
export async function deleteOldChanges(db: Database, until: Date, size: number): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>(
    `with old as (
       delete from change_log where (repository_id, txid, seq) in (
         select repository_id, txid, seq from change_log where at <= $1 order by at limit $2 for update skip locked)
       returning txid),
     remembered as (
       insert into service_facts as fact (name, value, updated_at)
       select '${deletedFact}', to_jsonb(max(txid::text::numeric)::text), $1 from old having count(*) > 0
       on conflict (name) do update
         set value = to_jsonb(greatest((fact.value #>> '{}')::numeric, (excluded.value #>> '{}')::numeric)::text))
     select count(*)::int as deleted from old`,
    [until, size],
  )
  return rows[0]?.deleted ?? 0
}
