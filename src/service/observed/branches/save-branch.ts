import type { Prisma } from '../../db/generated/client.ts'
import { saveChanges } from '../../records/activity/details/changes.sql.ts'
import { changeRecord, endRecord, insertObservedActivity, lockLiveRecord } from '../observed-activity.sql.ts'
import { changedColumns, heartbeatAfterPush } from '../observed-columns.ts'
import { branchColumns } from './branch-columns.ts'
import { branchExpiry, type ComparedBranch, isObservedHead, type Push, type PushedBranchRow } from './pushed-branch.ts'
import {
  changePushedBranch,
  insertDeletion,
  insertPush,
  isOfOpenPullRequest,
  lockBranchesAt,
  lockPushedBranch,
} from './pushed-branches.sql.ts'

interface Times {
  now: Date
  /** How long a record lives after the last push of its branch, in ms. */
  ttlMs: number
}

/**
 * Saves a push, and marks its branch as unread. An existing record lives on, with the files of the former push until
 * the new head is read. Returns false if a later push or a deletion is known, or the push is too old.
 */
export async function savePush(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  push: Push,
  { now, ttlMs }: Times,
): Promise<boolean> {
  if (branchExpiry(push.pushedAt, ttlMs) <= now) return false
  const before = await lockPushedBranch(tx, repositoryId, push.branch)
  const row = await insertPush(tx, repositoryId, push, now)
  if (row === undefined) return false
  const found = await lockLiveRecord(tx, row, now)
  if (!('live' in found)) return true
  const heartbeatAt = heartbeatAfterPush(found.live.heartbeat_at, before?.pushed_at ?? push.pushedAt, push.pushedAt)
  const expiresAt = branchExpiry(push.pushedAt, ttlMs, found.live.expires_at)
  await changeRecord(tx, found.live, {}, { heartbeatAt, expiresAt, now })
  return true
}

/** A head of a branch that is to be read. */
export interface UnreadHead {
  branch: string
  headSha: string
}

/**
 * Locks a branch whose head is to be read. Undefined if it was pushed or deleted since, or is not observed. In the
 * latter case its record ends without a request to GitHub.
 */
export async function lockUnreadBranch(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { branch, headSha }: UnreadHead,
  { now, ttlMs, isObserved }: Times & { isObserved: boolean },
): Promise<PushedBranchRow | undefined> {
  const row = await lockPushedBranch(tx, repositoryId, branch)
  if (row === undefined || row.head_sha !== headSha || row.files_head_sha === headSha) return undefined
  const isOver = branchExpiry(row.pushed_at, ttlMs) <= now
  if (isObserved && !isOver && !(await isOfOpenPullRequest(tx, row))) return row
  await endBranch(tx, row, { reason: 'closed', endedAt: now, now })
  return undefined
}

/**
 * Saves what a head changes as its observed activity. Returns whether it was saved: not if the branch was pushed or deleted
 * meanwhile, or is not observed. A branch that is not observed loses its record.
 */
export async function saveComparedBranch(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  compared: ComparedBranch,
  times: Times,
): Promise<boolean> {
  const isObserved = isObservedHead(compared)
  const row = await lockUnreadBranch(tx, repositoryId, compared, { ...times, isObserved })
  if (row === undefined) return false
  const activity_id = await saveRecord(tx, row, compared, times)
  const { headSha, commits } = compared
  await changePushedBranch(tx, row, { activity_id, files_head_sha: headSha, commits: [...commits], read_attempts: 0 })
  return true
}

async function saveRecord(
  tx: Prisma.TransactionClient,
  row: PushedBranchRow,
  compared: ComparedBranch,
  { now, ttlMs }: Times,
): Promise<string> {
  const columns = branchColumns(row, compared)
  const found = await lockLiveRecord(tx, row, now)
  const activity =
    'live' in found
      ? await changeRecord(tx, found.live, changedColumns(found.live, columns), {
          ...{ heartbeatAt: found.live.heartbeat_at, now },
          expiresAt: branchExpiry(row.pushed_at, ttlMs, found.live.expires_at),
        })
      : await insertObservedActivity(tx, {
          ...columns,
          repository_id: row.repository_id,
          source: 'branch',
          status: 'active',
          opened_at: row.pushed_at,
          heartbeat_at: row.pushed_at,
          expires_at: branchExpiry(row.pushed_at, ttlMs),
          created_at: now,
        })
  const { headSha, files } = compared
  await saveChanges(tx, activity, { by: 'github', headSha, files, filesTotal: files.length, readAt: now })
  return activity.id
}

/** Ends the record of a locked branch, and marks the branch as read. Returns how many ended. */
export async function endBranch(
  tx: Prisma.TransactionClient,
  row: PushedBranchRow,
  end: Parameters<typeof endRecord>[2],
): Promise<number> {
  const ended = await endRecord(tx, row, end)
  await changePushedBranch(tx, row, { activity_id: null, files_head_sha: row.head_sha, commits: [], read_attempts: 0 })
  return ended
}

/**
 * Ends the records of the branches whose head commit is one of these, which the default branch has now. Returns how many ended.
 */
export async function endMergedBranches(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  headShas: readonly string[],
  now: Date,
): Promise<number> {
  let ended = 0
  for (const row of await lockBranchesAt(tx, repositoryId, headShas))
    ended += await endBranch(tx, row, { reason: 'closed', endedAt: now, now })
  return ended
}

/** Ends the record of a deleted branch, unless the branch was pushed since. Returns how many ended. */
export async function deletePushedBranch(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { branch, deletedAt }: { branch: string; deletedAt: Date },
  now: Date,
): Promise<number> {
  const row = await lockPushedBranch(tx, repositoryId, branch)
  if (row === undefined) {
    await insertDeletion(tx, repositoryId, branch, deletedAt)
    return 0
  }
  if (row.pushed_at > deletedAt) return 0
  const ended = await endBranch(tx, row, { reason: 'branch_deleted', endedAt: deletedAt, now })
  await changePushedBranch(tx, row, { head_sha: null, files_head_sha: null, pushed_at: deletedAt })
  return ended
}
