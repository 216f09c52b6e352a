import type { Database } from '../db/database.ts'
import { observedExpiry } from '../observed/observed-activity.sql.ts'
import { withoutIndexEntries } from '../records/notable/notables.sql.ts'

/**
 * Runs one batch of a statement that crosses repositories. Each finds its rows by an index of its own. Rows that another
 * instance has locked are skipped, so that concurrent sweeps neither wait for one another nor repeat work.
 */
async function runBatch(db: Database, sql: string, values: unknown[]): Promise<number> {
  const { rowCount } = await db.query(sql, values)
  return rowCount ?? 0
}

/** Whether a live activity is the record of an open pull request: then it does not expire (docs/rules.md#observed-work). */
const isOpenPullRequest = `source <> 'recorded' and exists (
  select from pull_requests as pull
   where pull.repository_id = activities.repository_id and pull.number = activities.pr_number
     and pull.activity_id = activities.id and pull.state = 'open')`

const hour = 3_600_000

/**
 * Extends the records of open pull requests that no reading has extended in time. They do not expire while GitHub can
 * not be asked.
 */
export function extendOpenPullRequests(db: Database, now: Date, size: number): Promise<number> {
  const soon = new Date(now.getTime() + 2 * hour)
  return runBatch(
    db,
    `update activities as activity set expires_at = $3
       from (select repository_id, id from activities
              where ended_at is null and expires_hour <= $1 and expires_at <= $2 and ${isOpenPullRequest}
              order by expires_hour limit $4 for update skip locked) as due
      where activity.repository_id = due.repository_id and activity.id = due.id`,
    [Math.floor(soon.getTime() / hour), soon, observedExpiry(now), size],
  )
}

/** Archives live activities whose time is over, as `expireIfDue` does for one. */
export function archiveDueActivities(db: Database, now: Date, size: number): Promise<number> {
  return runBatch(
    db,
    `update activities as activity
        set status = 'archived', archived_at = expires_at, ended_at = expires_at, updated_at = expires_at, archived_reason = 'expired'
       from (select repository_id, id from activities
              where ended_at is null and expires_hour <= $1 and expires_at <= $2 and not (${isOpenPullRequest})
              order by expires_hour limit $3 for update skip locked) as due
      where activity.repository_id = due.repository_id and activity.id = due.id`,
    [Math.floor(now.getTime() / hour), now, size],
  )
}

export function expireDueNotables(db: Database, now: Date, size: number): Promise<number> {
  return runBatch(
    db,
    `with ended as (
       update notables as notable set status = 'expired', ended_at = expires_at, updated_at = expires_at
         from (select repository_id, id from notables
                where ended_at is null and expires_at <= $1
                order by expires_at limit $2 for update skip locked) as due
        where notable.repository_id = due.repository_id and notable.id = due.id
        returning notable.repository_id, notable.id),
     unindexed as (${withoutIndexEntries})
     select from ended`,
    [now, size],
  )
}

/** Deletes records that ended at or before `endedUntil`. */
export function deleteEnded(
  db: Database,
  table: 'activities' | 'notables',
  endedUntil: Date,
  size: number,
): Promise<number> {
  return runBatch(
    db,
    `delete from ${table} as record
      using (select repository_id, id from ${table} where ended_at <= $1
              order by ended_at limit $2 for update skip locked) as ended
      where record.repository_id = ended.repository_id and record.id = ended.id`,
    [endedUntil, size],
  )
}

const timeColumns = {
  idempotency_keys: 'created_at',
  webhook_deliveries: 'handled_at',
  redeliveries: 'requested_at',
}

/** Deletes rows of a table without records that were written at or before `until`. */
export function deleteOld(db: Database, table: keyof typeof timeColumns, until: Date, size: number): Promise<number> {
  const column = timeColumns[table]
  return runBatch(
    db,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${column} <= $1 order by ${column} limit $2 for update skip locked))`,
    [until, size],
  )
}
