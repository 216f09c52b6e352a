import type { Prisma } from '../db/generated/client.ts'
import { newRecord } from '../lib/ids.ts'
import { type ActivityRow, changeActivity, insertActivity, lockActivity } from '../records/activity/activities.sql.ts'
import { factColumns, fileColumns } from './observed-columns.ts'
import type { ObservedRepositoryRef, PullRequestFacts, PullRequestRow } from './pull-requests/pull-request.ts'
import { withoutPullRequests } from './pull-requests/pull-requests.sql.ts'

const hour = 3_600_000

/** How long observed work lives after a reading that finds it open. It is extended once less than `extendBelowMs` is left. */
const observedMs = 48 * hour
const extendBelowMs = 36 * hour

export function observedExpiry(now: Date): Date {
  return new Date(now.getTime() + observedMs)
}

/** Locks the observed activity of a pull request whose row is locked. Undefined if there is none that is live. */
export async function lockLiveRecord(
  tx: Prisma.TransactionClient,
  { repository_id, activity_id }: Pick<PullRequestRow, 'repository_id' | 'activity_id'>,
  now: Date,
): Promise<{ live: ActivityRow } | { ended: ActivityRow | undefined }> {
  const row = activity_id === null ? undefined : await lockActivity(tx, repository_id, activity_id)
  return row && row.ended_at === null && row.expires_at > now ? { live: row } : { ended: row }
}

/** Creates the observed activity of an open pull request, and returns its id. Its files are not read yet. */
export async function insertRecord(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  facts: PullRequestFacts,
  { heartbeatAt, now }: { heartbeatAt: Date | null; now: Date },
): Promise<string> {
  const { id } = await insertObservedActivity(tx, {
    repository_id: repository.id,
    ...(await recordColumns(tx, repository, facts)),
    ...fileColumns(facts.number, [], null),
    pr_event_at: facts.updatedAt,
    heartbeat_at: heartbeatAt,
    expires_at: observedExpiry(now),
    created_at: now,
    source: 'pull_request',
  })
  return id
}

/** The columns of a record that follow the facts. Of the issues, those that are no pull requests. */
export async function recordColumns(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  facts: PullRequestFacts,
) {
  return factColumns(repository, facts, await withoutPullRequests(tx, repository.id, facts.issues))
}

/** The columns of new observed work that are the same for all of it. */
const observedDefaults = {
  risk: 'low',
  areas: [],
  area_keys: [],
  blocking: false,
  draft_pr: false,
  pr_url: null,
  pr_repository_id: null,
  pr_number: null,
  pr_event_at: null,
  archived_at: null,
  archived_reason: null,
  ended_at: null,
  edited_fields: [],
  has_changes: false,
  issues: [],
  issues_from: null,
  work_changed_at: null,
} satisfies Partial<ActivityRow>

type Defaulted = keyof typeof observedDefaults
type NewObservedActivity = Omit<ActivityRow, Defaulted | 'id' | 'updated_at'> & Partial<Pick<ActivityRow, Defaulted>>

/** Creates observed work without changes. */
export async function insertObservedActivity(
  tx: Prisma.TransactionClient,
  columns: NewObservedActivity,
): Promise<ActivityRow> {
  const { id, created_at } = newRecord('act', columns.repository_id, columns.created_at)
  const row = { ...observedDefaults, ...columns, id, created_at, updated_at: created_at }
  await insertActivity(tx, row)
  return row
}

interface RecordTimes {
  heartbeatAt: Date | null
  now: Date
  /** By default that of an open pull request. */
  expiresAt?: Date
}

function extendedObservedExpiry({ expires_at }: Pick<ActivityRow, 'expires_at'>, now: Date): Date {
  return expires_at.getTime() - now.getTime() < extendBelowMs ? observedExpiry(now) : expires_at
}

/** Changes a locked observed activity. `updated_at` changes with any column but the heartbeat and the expiry. */
export async function changeRecord(
  tx: Prisma.TransactionClient,
  activity: ActivityRow,
  columns: Partial<ActivityRow>,
  { heartbeatAt, now, expiresAt = extendedObservedExpiry(activity, now) }: RecordTimes,
): Promise<ActivityRow> {
  const changes = {
    ...columns,
    ...(Object.keys(columns).length > 0 ? { updated_at: now } : {}),
    ...(heartbeatAt?.getTime() === activity.heartbeat_at?.getTime() ? {} : { heartbeat_at: heartbeatAt }),
    ...(expiresAt.getTime() === activity.expires_at.getTime() ? {} : { expires_at: expiresAt }),
  }
  return Object.keys(changes).length === 0 ? activity : changeActivity(tx, activity, changes)
}

/** Ends a live observed activity. Returns how many there were. */
export async function endRecord(
  tx: Prisma.TransactionClient,
  { repository_id, activity_id }: Pick<PullRequestRow, 'repository_id' | 'activity_id'>,
  { reason, endedAt, now }: { reason: 'merged' | 'closed' | 'branch_deleted'; endedAt: Date; now: Date },
): Promise<number> {
  return tx.$executeRaw`
    update activities
       set status = 'archived', archived_reason = ${reason}, updated_at = ${now},
           archived_at = least(${now}, greatest(${endedAt}, created_at)), ended_at = least(${now}, greatest(${endedAt}, created_at))
     where repository_id = ${repository_id} and id = ${activity_id} and ended_at is null and expires_at > ${now}`
}

/**
 * Extends the live observed activities of open pull requests after a reading found them open: of these numbers, or of all in
 * the repository. Writes only where little time is left. Returns how many it extended.
 */
export async function extendOpen(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  numbers: readonly number[] | 'all',
  now: Date,
): Promise<number> {
  const few = numbers === 'all' ? null : [...numbers]
  return tx.$executeRaw`
    with picked as materialized (
      select activity.id from pull_requests as pull
        join activities as activity on activity.repository_id = ${repositoryId} and activity.id = pull.activity_id
       where pull.repository_id = ${repositoryId} and pull.state = 'open'
         and (${few}::integer[] is null or pull.number = any(${few}::integer[]))
         and activity.ended_at is null and activity.expires_at > ${now}
         and activity.expires_at < ${new Date(now.getTime() + extendBelowMs)}
       order by activity.id for update of activity)
    update activities as activity set expires_at = ${observedExpiry(now)}
      from picked where activity.repository_id = ${repositoryId} and activity.id = picked.id`
}
