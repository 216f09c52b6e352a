import type { Database } from '../db/database.ts'
import { type Activity as ActivityModel, Prisma } from '../db/generated/client.ts'
import { readPrepared } from '../db/prepared.ts'
import { sqlParams } from '../db/sql-params.ts'
import type { ActivityStatus } from '../enums.ts'
import { indexEntries } from '../scope/index-entries-store.ts'
import type { ActivityFilters } from './schema.ts'

/** An activity as the database has it. Whether it is still live at some instant is for `settle` to say. */
export type ActivityRow = Omit<ActivityModel, 'expires_hour'>
export type ActivityChanges = Partial<Omit<ActivityRow, 'repository_id' | 'id' | 'created_at'>>

const columnNames = Object.values(Prisma.ActivityScalarFieldEnum).filter((name) => name !== 'expires_hour')
const columns = columnNames.join(', ')

/** Inserts the record with its keys in the index of scopes: one statement, and so one transaction of its own. */
export async function insertActivity(db: Prisma.TransactionClient, row: ActivityRow): Promise<void> {
  await db.$executeRaw`
    with inserted as (
      insert into activities (${Prisma.raw(columns)}) values (${Prisma.join(columnNames.map((name) => row[name]))})
      returning repository_id, id)
    insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
    select inserted.repository_id, entry.kind, entry.key, entry.tail, entry.extent, inserted.id
      from inserted, ${indexEntries(row)}`
}

const oneActivity = `select ${columns} from activities where repository_id = $1 and id = $2`

/** Hot: by plain SQL, since Prisma's own query costs more than all the rest of a retrieve. */
export async function findActivity(
  { pool }: Database,
  repositoryId: bigint,
  id: string,
): Promise<ActivityRow | undefined> {
  const [row] = await readPrepared<ActivityRow>(pool, ['activities'], oneActivity, [repositoryId, id])
  return row
}

/** Which records a list shows: those of the live feed, or of one status as it is true at `now`. */
function statusCondition(status: ActivityStatus | undefined): string {
  const due = 'ended_at is null and expires_at <= $2 and expires_at > $3'
  switch (status) {
    case undefined:
      return 'ended_at is null and expires_at > $2'
    case 'expired':
      return 'false'
    case 'archived':
      return `(status = 'archived' and ended_at > $3 or ${due})`
    case 'merged':
    case 'abandoned':
      return `status = '${status}' and ended_at > $3`
    default:
      return `ended_at is null and status = '${status}' and expires_at > $2`
  }
}

/**
 * Up to `count` activities, newest first, after the id `after`. `endedAfter` is the instant before which ended records
 * count as purged. Hot, as `findActivity`.
 */
export async function pageOfActivities(
  db: Database,
  page: {
    repositoryId: bigint
    filters: ActivityFilters
    after: string | undefined
    count: number
    now: Date
    endedAfter: Date
  },
): Promise<ActivityRow[]> {
  const values: unknown[] = [page.repositoryId, page.now, page.endedAfter]
  const conditions = ['repository_id = $1', '$2::timestamptz is not null', '$3::timestamptz is not null']
  conditions.push(statusCondition(page.filters.status))
  const bind = sqlParams(values)
  const { risk, actor, branch, has_pr, draft_pr_only } = page.filters
  if (risk !== undefined) conditions.push(`risk = ${bind(risk)}`)
  if (actor !== undefined) conditions.push(`actor = ${bind(actor)}`)
  if (branch !== undefined) conditions.push(`branch = ${bind(branch)}`)
  if (has_pr !== undefined) conditions.push(`pr_url is ${has_pr ? 'not null' : 'null'}`)
  if (draft_pr_only) conditions.push('draft_pr')
  if (page.after !== undefined) conditions.push(`id < ${bind(page.after)}`)
  const { rows } = await db.pool.query<ActivityRow>(
    `select ${columns} from activities where ${conditions.join(' and ')} order by id desc limit ${bind(page.count)}`,
    values,
  )
  return rows
}

/** The row, locked until the transaction ends: what is decided from it still holds when it is written. */
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
    omit: { expires_hour: true },
  })
  return row ?? undefined
}

export async function changeActivity(
  tx: Prisma.TransactionClient,
  { repository_id, id }: Pick<ActivityRow, 'repository_id' | 'id'>,
  changes: ActivityChanges,
): Promise<ActivityRow> {
  return tx.activity.update({
    where: { repository_id_id: { repository_id, id } },
    data: changes,
    omit: { expires_hour: true },
  })
}

/** Archives the activity by hand; undefined where there is none, or where it is archived already. */
export async function archiveRow(
  db: Database,
  repositoryId: bigint,
  id: string,
  now: Date,
): Promise<ActivityRow | undefined> {
  const { rows } = await db.pool.query<ActivityRow>(
    `update activities
        set status = 'archived', archived_at = $3, ended_at = $3, updated_at = $3,
            archived_reason = case when status = 'merged' then 'merged' else 'caller' end
      where repository_id = $1 and id = $2 and status <> 'archived'
      returning ${columns}`,
    [repositoryId, id, now],
  )
  return rows[0]
}

/** Saves the archiving of an expired live activity, in a transaction of its own (docs/rules.md#expiry). */
export async function expireIfDue(db: Database, repositoryId: bigint, id: string, now: Date): Promise<void> {
  await db.pool.query(
    `update activities
        set status = 'archived', archived_at = expires_at, ended_at = expires_at, updated_at = expires_at, archived_reason = 'expired'
      where repository_id = $1 and id = $2 and ended_at is null and expires_at <= $3`,
    [repositoryId, id, now],
  )
}

export interface HeartbeatTimes {
  repositoryId: bigint
  id: string
  now: Date
  ttlMs: number
  maxTtlMs: number | null
  /** Records that ended before this instant count as purged. */
  endedAfter: Date
}
type Beaten = Pick<ActivityRow, 'id' | 'heartbeat_at' | 'expires_at'>

/**
 * Bumps the heartbeat and moves the expiry out as `extendedExpiry` says, in one statement: heartbeats are most of the
 * writes. Leaves a live record alone whose time is over, as that one has to be archived first.
 */
export async function heartbeatRow(
  db: Database,
  { repositoryId, id, now, ttlMs, maxTtlMs, endedAfter }: HeartbeatTimes,
): Promise<Beaten | undefined> {
  const { rows } = await db.pool.query<Beaten>(
    `update activities
        set heartbeat_at = greatest(heartbeat_at, $3::timestamptz),
            expires_at = greatest(expires_at, least($3::timestamptz + $4 * interval '1 millisecond', created_at + $5 * interval '1 millisecond'))
      where repository_id = $1 and id = $2 and (ended_at > $6 or (ended_at is null and expires_at > $3))
      returning id, heartbeat_at, expires_at`,
    [repositoryId, id, now, ttlMs, maxTtlMs, endedAfter],
  )
  return rows[0]
}
