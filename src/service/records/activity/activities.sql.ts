import type { Database } from '../../db/database.ts'
import { type Activity as ActivityModel, Prisma } from '../../db/generated/client.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import { columnsOfList } from '../../db/sql/record-page.sql.ts'
import { insertedChanges, type SavedChanges } from './details/changes.sql.ts'
import { hasObservedWorkSql } from './details/details.sql.ts'
import { activityEntries } from './details/scope-index.sql.ts'
import { extendedExpirySql } from './lifetime.ts'
import { lockingSelect } from './pull-request/lock-heads.sql.ts'

/** An activity as stored. `withExpiryApplied` says whether it is live at an instant. */
export type ActivityRow = Omit<ActivityModel, keyof typeof internalColumns>
export type ActivityColumns = Partial<Omit<ActivityRow, 'repository_id' | 'id' | 'created_at'>>

/** Columns that no answer needs: of an index or a trigger of PostgreSQL, and what `activity/events` keeps of a branch. */
const internalColumns = { expires_hour: true, changed_by: true, seen_branch: true } as const

const columnNames = Object.values(Prisma.ActivityScalarFieldEnum).filter(
  (name): name is Exclude<typeof name, keyof typeof internalColumns> => !Object.hasOwn(internalColumns, name),
)
const columns = columnNames.join(', ')

/**
 * Inserts the activity, its scope keys and what the client changed in one statement. It first locks the pull requests
 * that the activity may cover (docs/rules.md#covered-work).
 */
export async function insertActivity(
  db: Prisma.TransactionClient,
  row: ActivityRow,
  changes?: SavedChanges,
  changedBy: string | null = null,
): Promise<void> {
  const locking = (row.source === 'recorded' && lockingSelect([row])) || Prisma.sql`select 1`
  const files = changes?.files ?? []
  await db.$executeRaw`
    with locked as materialized (${locking}),
    inserted as (
      insert into activities (${Prisma.raw(columns)}, changed_by)
      select ${Prisma.join(columnNames.map((name) => row[name]))}, ${changedBy} from (select count(*) from locked) as held
      returning repository_id, id),
    changed as (${changes && files.length > 0 ? insertedChanges(changes) : Prisma.sql`select 1`})
    insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
    select inserted.repository_id, entry.kind, entry.key, entry.tail, entry.extent, inserted.id
      from inserted, ${activityEntries(row, files)}`
}

export type FoundActivity = ActivityRow & { has_observed_work: boolean }

export const foundColumns = `${columns}, ${hasObservedWorkSql} as has_observed_work`
/** The same for a list. Long texts are left out. */
export const listedColumns = `${columnsOfList(columnNames)}, ${hasObservedWorkSql} as has_observed_work`
const oneActivity = `select ${foundColumns} from activities where repository_id = $1 and id = $2`

/** SQL, since it runs often: a Prisma query would cost more than the rest of a retrieve. */
export async function findActivity(db: Database, repositoryId: bigint, id: string): Promise<FoundActivity | undefined> {
  const values = [repositoryId, id]
  const [row] = await readPrepared<FoundActivity>(db, ['activities'], oneActivity, values)
  return row
}

/** Those of these activities that exist. */
export async function findActivities(
  db: Database,
  repositoryId: bigint,
  ids: readonly string[],
): Promise<ActivityRow[]> {
  const { rows } = await db.query<ActivityRow>(
    `select ${columns} from activities where repository_id = $1 and id = any($2)`,
    [repositoryId, ids],
  )
  return rows
}

/** Reads the activity and locks it until the transaction ends, so that no other transaction changes it meanwhile. */
export async function lockActivity(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  id: string,
): Promise<ActivityRow | undefined> {
  const [locked] = await tx.$queryRaw<{ id: string }[]>`
    select id from activities where repository_id = ${repositoryId} and id = ${id} for update`
  if (!locked) return undefined
  const row = await tx.activity.findUnique({
    where: { repository_id_id: { repository_id: repositoryId, id } },
    omit: internalColumns,
  })
  return row ?? undefined
}

export async function changeActivity(
  tx: Prisma.TransactionClient,
  { repository_id, id }: Pick<ActivityRow, 'repository_id' | 'id'>,
  changes: ActivityColumns & { changed_by?: string },
): Promise<ActivityRow> {
  return tx.activity.update({
    where: { repository_id_id: { repository_id, id } },
    data: changes,
    omit: internalColumns,
  })
}

/** Archives the activity at the request of a caller. Undefined if there is none, or it is archived already. */
export async function archiveRow(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  id: string,
  { now, changedBy }: { now: Date; changedBy: string },
): Promise<ActivityRow | undefined> {
  const [row] = await tx.$queryRaw<ActivityRow[]>`
    update activities
       set status = 'archived', archived_at = ${now}, ended_at = ${now}, updated_at = ${now}, changed_by = ${changedBy},
           archived_reason = case when status = 'merged' then 'merged' else 'caller' end
     where repository_id = ${repositoryId} and id = ${id} and status <> 'archived'
     returning ${Prisma.raw(columns)}`
  return row
}

/** Saves the archiving of an expired activity, in a transaction of its own (docs/rules.md#expiry). Pull requests do not expire. */
export async function expireIfDue(db: Database, repositoryId: bigint, id: string, now: Date): Promise<void> {
  await db.query(
    `update activities
        set status = 'archived', archived_at = expires_at, ended_at = expires_at, updated_at = expires_at, archived_reason = 'expired'
      where repository_id = $1 and id = $2 and source <> 'pull_request' and ended_at is null and expires_at <= $3`,
    [repositoryId, id, now],
  )
}

export interface HeartbeatTimes {
  repositoryId: bigint
  id: string
  now: Date
  ttlMs: number
  maxTtlMs: number | null
  /** Activities that ended at this instant or before count as purged. */
  endedAfter: Date
  /** Whether observed work is changed too. */
  observed: boolean
}
type HeartbeatRow = Pick<ActivityRow, 'id' | 'heartbeat_at' | 'expires_at'>

/**
 * Sets the heartbeat and extends the expiry in one statement. An ended activity is changed too. A live one whose expiry is
 * due is left alone: it has to be archived first (docs/rules.md#heartbeats).
 */
export async function heartbeatRow(
  db: Database,
  { repositoryId, id, now, ttlMs, maxTtlMs, endedAfter, observed }: HeartbeatTimes,
): Promise<HeartbeatRow | undefined> {
  const { rows } = await db.query<HeartbeatRow>(
    `update activities as activity
        set heartbeat_at = greatest(activity.heartbeat_at, heartbeat.at), expires_at = ${extendedExpirySql}
       from (select $3::timestamptz as at, $4::double precision as ttl_ms, $5::double precision as max_ttl_ms) as heartbeat
      where repository_id = $1 and id = $2 and (ended_at > $6 or (ended_at is null and expires_at > heartbeat.at))
        and ($7 or source = 'recorded')
      returning activity.id, activity.heartbeat_at, activity.expires_at`,
    [repositoryId, id, now, ttlMs, maxTtlMs, endedAfter, observed],
  )
  return rows[0]
}
