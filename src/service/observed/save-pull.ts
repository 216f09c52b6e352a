import type { Activity, Prisma, PullRequest } from '../db/generated/client.ts'
import type { Transaction } from '../db/retry.ts'
import type { PullEnd, PullFacts } from '../github/pulls/pull-facts.ts'
import { differing } from '../records/differing.ts'
import { keyOf, newId } from '../records/ids.ts'
import { archivedAt, touched } from '../records/lifecycle.ts'
import { followPlaces, placesOf, savePlaces } from '../records/places.ts'
import { codingAgent } from './coding-agents.ts'
import { mayObserve } from './may-observe.ts'
import { isOutdated, lockOrInsertPull, type Observing } from './pulls.ts'

export interface PullEvent {
  end: PullEnd | null
  /** It was just reopened: of two facts of one second this one counts. */
  isReopened?: boolean
  /** When its head was pushed; null where that is not known. */
  pushedAt?: Date | null
}

/**
 * Saves what GitHub says of a pull request, and its observed activity. A new head or base makes the files unread; a reopened one
 * gets a new record. Returns the id of its record where that changed or ended; null where these facts are older and change nothing.
 */
export async function savePull(
  tx: Transaction,
  observing: Observing,
  facts: PullFacts,
  event: PullEvent,
): Promise<string[] | null> {
  const { row, isNew } = await lockOrInsertPull(tx, observing, facts)
  if (!isNew && isOutdated(row, facts, event.isReopened ?? false)) return null
  const activity = await liveActivity(tx, row)
  const isWanted = facts.is_open && mayObserve(facts, observing.settings)
  const aside = activity || !facts.is_open ? null : await asideAt(tx, row, facts, isNew)
  const isChanged = activity !== null && (await followGithub(tx, observing, activity, { facts, event, isWanted }))
  const isMade = isWanted && !activity && aside === null
  if (isMade) await insertActivity(tx, observing, facts, event)
  const isMoved = isNew || facts.head_sha !== row.head_sha || facts.base_branch !== row.base_branch
  const isUnread = isWanted && aside === null && (isMade || isMoved)
  const changed = differing(row, {
    ...facts,
    ...((isNew || facts.head_sha !== row.head_sha) && { pushed_at: event.pushedAt ?? null }),
    // The files of the head against its old base are not those against the new one.
    ...(isUnread && { read_after: observing.now, attempts: 0, read_head: null }),
    ...(!isWanted && { read_after: null, attempts: 0 }),
    put_aside_head: aside,
  })
  if (Object.keys(changed).length > 0)
    await updatePull(tx, row, { ...changed, updated_at: touched(row, observing.now) })
  return isChanged ? [activity.id] : []
}

function updatePull(tx: Transaction, { repository_id, number }: PullRequest, data: Prisma.PullRequestUpdateInput) {
  return tx.pullRequest.update({ where: { repository_id_number: { repository_id, number } }, data })
}

export function liveActivity(
  tx: Transaction,
  { repository_id, number }: Pick<PullRequest, 'repository_id' | 'number'>,
): Promise<Activity | null> {
  return tx.activity.findFirst({
    where: { repository_id, pr_number: number, source: 'pull_request', ended_at: null },
  })
}

/** The head at which a caller put it aside; null where it is not, or was pushed or reopened since. */
async function asideAt(tx: Transaction, row: PullRequest, facts: PullFacts, isNew: boolean): Promise<string | null> {
  if (isNew || !row.is_open || facts.head_sha !== row.head_sha) return null
  if (row.put_aside_head === facts.head_sha) return row.put_aside_head
  const { repository_id, number: pr_number } = row
  const where = { repository_id, pr_number, source: 'pull_request' } as const
  const last = await tx.activity.findFirst({ where, orderBy: { id: 'desc' }, select: { archived_reason: true } })
  return last?.archived_reason === 'caller' ? facts.head_sha : null
}

/** The columns of an observed activity that follow GitHub. */
function columnsOf({ repository, githubServerUrl }: Observing, facts: PullFacts) {
  const { number, author_login, is_draft, head_branch, head_owner } = facts
  const isOwnBranch = facts.head_repository_id === repository.id
  // Branches of two owners that are gone are not the same one.
  const forkBranch = head_owner && `${head_owner}:${head_branch}`
  return {
    title: facts.title,
    actor: author_login ?? 'ghost',
    agent: author_login && codingAgent(author_login),
    author_login,
    status: is_draft ? 'draft-pr-open' : 'ready-for-review',
    draft_pr: is_draft,
    branch: isOwnBranch ? head_branch : forkBranch,
    base_branch: facts.base_branch,
    pr_url: `https://${new URL(githubServerUrl).host}/${repository.owner}/${repository.name}/pull/${number}`,
    issues: facts.issues,
    began_at: facts.opened_at,
  }
}

async function insertActivity(tx: Transaction, observing: Observing, facts: PullFacts, { pushedAt = null }: PullEvent) {
  const { repository, now } = observing
  const [id, columns, repository_id] = [newId('act', observing.now), columnsOf(observing, facts), repository.id]
  const none = { areas: [], paths: [], changes_commits: [], changes_total: null }
  const times = { created_at: now, updated_at: now, heartbeat_at: pushedAt, expires_at: null }
  const fixed = { source: 'pull_request', risk: 'low', blocking: false } as const
  const data = { repository_id, id, ...columns, ...none, ...times, ...fixed }
  await tx.activity.create({ data: { ...data, pr_number: facts.number, summary: summaryOf(facts.number, null) } })
  await savePlaces(tx, data, placesOf(data, []))
}

/** Changes its record, or ends it. Returns whether an answer shows that. */
async function followGithub(
  tx: Transaction,
  observing: Observing,
  activity: Activity,
  { facts, event: { end, pushedAt }, isWanted }: { facts: PullFacts; event: PullEvent; isWanted: boolean },
): Promise<boolean> {
  const { now } = observing
  if (!isWanted) {
    await endActivity(tx, activity, end?.isMerged ? 'merged' : 'closed', end?.at ?? now, now)
    return true
  }
  if (pushedAt) await moveHeartbeat(tx, activity, pushedAt)
  const changed = differing(activity, columnsOf(observing, facts))
  if (Object.keys(changed).length === 0) return false
  await tx.activity.update({ where: keyOf(activity), data: { ...changed, updated_at: touched(activity, now) } })
  await followPlaces(tx, activity, changed)
  return true
}

/** A later heartbeat of a caller stays. */
export async function moveHeartbeat(tx: Transaction, { heartbeat_at, ...activity }: Activity, at: Date): Promise<void> {
  if (heartbeat_at === null || heartbeat_at < at)
    await tx.activity.update({ where: keyOf(activity), data: { heartbeat_at: at } })
}

/** Ends an observed activity. What has ended stays as it is. */
export async function endActivity(
  tx: Transaction,
  activity: Pick<Activity, 'repository_id' | 'id' | 'created_at' | 'updated_at'>,
  reason: 'merged' | 'closed',
  endedAt: Date,
  now: Date,
): Promise<void> {
  const { repository_id, id, created_at } = activity
  const at = new Date(Math.min(Math.max(endedAt.getTime(), created_at.getTime()), now.getTime()))
  const where = { repository_id, id, ended_at: null }
  await tx.activity.updateMany({ where, data: { ...archivedAt(at, reason), updated_at: touched(activity, now) } })
}

export function summaryOf(number: number, files: number | null): string {
  const count = files === null ? '' : `: ${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`
  return `Pull request #${number}${count}`
}
