import type { FileChange } from '../../../core/changes/file-change.ts'
import type { Prisma } from '../../db/generated/client.ts'
import { saveChanges } from '../../records/activity/details/changes.sql.ts'
import { changeRecord, lockLiveRecord } from '../observed-activity.sql.ts'
import { changedColumns, fileColumns, heartbeatAfterPush } from '../observed-columns.ts'
import type { ObservedRepositoryRef, PullRequestRow, ReadFiles } from './pull-request.ts'
import { pushedAtAfterRead } from './pull-request-rules.ts'
import { changePullRequest, lockPullRequest } from './pull-requests.sql.ts'

/**
 * Saves the files and commits of a head, as the changes of its observed activity. They are thrown away where the head has
 * moved on or the pull request has ended meanwhile: then it returns false.
 */
export async function saveFiles(
  tx: Prisma.TransactionClient,
  repository: Pick<ObservedRepositoryRef, 'id'>,
  number: number,
  read: ReadFiles<FileChange>,
  now: Date,
): Promise<boolean> {
  const row = await lockPullRequest(tx, repository.id, number)
  if (row?.state !== 'open' || row.head_sha !== read.headSha) return false
  const pushedAt = pushedAtAfterRead(row, read.committedAt)
  await saveToRecord(tx, row, { read, pushedAt, now })
  await changePullRequest(tx, row, {
    files_head_sha: read.headSha,
    partly_listed: read.isPartlyListed,
    commits: [...read.commits],
    pushed_at: pushedAt,
    read_attempts: 0,
    unread_since: null,
    marked_by_webhook: false,
  })
  return true
}

interface Saving {
  read: ReadFiles<FileChange>
  pushedAt: Date
  now: Date
}

/** A pull request that was put aside has no record. */
async function saveToRecord(tx: Prisma.TransactionClient, row: PullRequestRow, { read, pushedAt, now }: Saving) {
  const found = await lockLiveRecord(tx, row, now)
  if (!('live' in found)) return
  const { headSha, files, filesTotal } = read
  const columns = changedColumns(found.live, fileColumns(row.number, files, filesTotal))
  const heartbeatAt = heartbeatAfterPush(found.live.heartbeat_at, row.pushed_at, pushedAt)
  const activity = await changeRecord(tx, found.live, columns, { heartbeatAt, now })
  await saveChanges(tx, activity, { by: 'github', headSha, files, filesTotal, readAt: now })
}
