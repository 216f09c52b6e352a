import type { Prisma } from '../../db/generated/client.ts'
import type { ActivityRow } from '../../records/activity/activities.sql.ts'
import { type TakenBranch, takeBranches } from '../branches/take-over.ts'
import { changeRecord, insertRecord, lockLiveRecord, recordColumns } from '../observed-activity.sql.ts'
import { changedColumns, fileColumns, heartbeatAfterPush } from '../observed-columns.ts'
import type { ObservedRepositoryRef, PullRequestEventFacts, PullRequestFacts, PullRequestRow } from './pull-request.ts'
import { pullRequestEnded } from './pull-request-ended.ts'
import { isOutdated, pushColumns, rowFacts, staysAside, unreadColumns } from './pull-request-rules.ts'
import { changePullRequest, lockOrInsertPullRequest } from './pull-requests.sql.ts'

/** How many observed activities and pull requests changed, by what happened to them. The names are those of the log. */
export interface SavedCounts {
  /** New observed activities. */
  observed: number
  /** Observed activities that ended. */
  ended: number
  /** Recorded activities that a merge archived. */
  merged: number
  /** Pull requests whose files are to be read. */
  unread: number
}

export const nothingSaved: SavedCounts = { observed: 0, ended: 0, merged: 0, unread: 0 }

/** Saves what GitHub says about a pull request in any state. `event` is set for a webhook. */
export async function savePullRequest(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  facts: PullRequestFacts,
  now: Date,
  event?: PullRequestEventFacts,
): Promise<SavedCounts> {
  if (facts.state === 'open') return saveOpenPullRequest(tx, repository, facts, now, event)
  return { ...nothingSaved, ...(await pullRequestEnded(tx, repository, facts, { facts, now })) }
}

/**
 * Saves an open pull request, and creates or changes its observed activity (docs/rules.md#observed-work). Facts that are
 * older than the saved ones change nothing. A new head makes the files unread; a reopened pull request gets a new record.
 */
async function saveOpenPullRequest(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  facts: PullRequestFacts,
  now: Date,
  event?: PullRequestEventFacts,
): Promise<SavedCounts> {
  const { row, isNew } = await lockOrInsertPullRequest(tx, repository.id, facts, now)
  if (!isNew && isOutdated(row, facts, event)) {
    await saveLatePush(tx, row, facts, { event, now })
    return nothingSaved
  }
  const found = await lockLiveRecord(tx, row, now)
  if ('live' in found) {
    const unread = await saveToRecord(tx, repository, { row, activity: found.live }, { facts, event, now })
    return { ...nothingSaved, unread }
  }
  const aside = asideColumns(row, found.ended, facts)
  if (aside !== null) {
    await changePullRequest(tx, row, { ...rowFacts(facts), ...aside, ...pushColumns(facts, event) })
    return nothingSaved
  }
  const taken = await takeBranches(tx, repository.id, facts, { hasRecord: false, now })
  const id = taken
    ? await turnIntoRecord(tx, repository, taken, { facts, event, now })
    : await insertRecord(tx, repository, facts, { heartbeatAt: event?.pushedAt ?? null, now })
  await changePullRequest(tx, row, {
    ...rowFacts(facts),
    ...(taken?.branch.head_sha === facts.headSha
      ? { pushed_at: taken.branch.pushed_at, push_reported_sha: facts.headSha }
      : {}),
    ...pushColumns(facts, event),
    ...unreadColumns(row, event !== undefined, now),
    activity_id: id,
    files_head_sha: null,
    put_aside_by: null,
    put_aside_head_sha: null,
  })
  return { ...nothingSaved, observed: taken ? 0 : 1, unread: 1 }
}

interface Saving {
  facts: PullRequestFacts
  event: PullRequestEventFacts | undefined
  now: Date
}

/** The record of a pushed branch becomes that of its pull request. Its changes stay until those of the pull request are read. */
async function turnIntoRecord(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  { activity }: TakenBranch,
  { facts, now }: Saving,
): Promise<string> {
  const { summary } = fileColumns(facts.number, [], null)
  const columns = changedColumns(activity, { ...(await recordColumns(tx, repository, facts)), summary })
  const ofPullRequest = { ...columns, source: 'pull_request', pr_event_at: facts.updatedAt }
  await changeRecord(tx, activity, ofPullRequest, { heartbeatAt: activity.heartbeat_at, now })
  return activity.id
}

/** Returns 1 if the files are to be read now, and were not before. */
async function saveToRecord(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  { row, activity }: { row: PullRequestRow; activity: ActivityRow },
  { facts, event, now }: Saving,
): Promise<number> {
  const isNewHead = row.head_sha !== facts.headSha
  if (isNewHead || row.base_ref !== facts.baseRef)
    await takeBranches(tx, repository.id, facts, { hasRecord: true, now })
  const push = pushColumns(facts, event)
  const columns = changedColumns(activity, await recordColumns(tx, repository, facts))
  await changeRecord(tx, activity, columns, { heartbeatAt: heartbeatAfter(row, activity, push.pushed_at), now })
  await changePullRequest(tx, row, {
    ...rowFacts(facts),
    ...push,
    ...(isNewHead ? unreadColumns(row, event !== undefined, now) : {}),
  })
  return isNewHead ? 1 : 0
}

function heartbeatAfter(row: PullRequestRow, { heartbeat_at }: ActivityRow, push: Date | undefined): Date | null {
  return push === undefined ? heartbeat_at : heartbeatAfterPush(heartbeat_at, row.pushed_at, push)
}

/** A late event of the current head still gives the time of its push. */
async function saveLatePush(
  tx: Prisma.TransactionClient,
  row: PullRequestRow,
  facts: PullRequestFacts,
  { event, now }: Pick<Saving, 'event' | 'now'>,
): Promise<void> {
  const push = pushColumns(facts, event)
  if (row.state !== 'open' || row.head_sha !== facts.headSha || push.pushed_at === undefined) return
  const found = await lockLiveRecord(tx, row, now)
  if ('live' in found) {
    await changeRecord(tx, found.live, {}, { heartbeatAt: heartbeatAfter(row, found.live, push.pushed_at), now })
  }
  await changePullRequest(tx, row, push)
}

/**
 * The columns of a pull request that is put aside; null if it is not, or no longer. An activity that a caller ended counts as
 * put aside at the head that it had then.
 */
function asideColumns(
  row: PullRequestRow,
  ended: ActivityRow | undefined,
  facts: PullRequestFacts,
): Partial<PullRequestRow> | null {
  const isEndedByCaller = ended?.archived_reason === 'caller' || ended?.status === 'abandoned'
  const put_aside_head_sha = row.put_aside_head_sha ?? (isEndedByCaller ? row.head_sha : null)
  if (!staysAside({ ...row, put_aside_head_sha }, facts)) return null
  return { put_aside_head_sha, activity_id: null, unread_since: null }
}
