import { endCheckRun, lookAgain } from '../check-runs/check-runs.ts'
import type { Transaction } from '../db/retry.ts'
import { archivedAt } from '../records/lifecycle.ts'
import { lockPull } from './pulls.ts'
import { endActivity, liveActivity } from './save-pull.ts'

/** Ends all observed work of a repository, and forgets its pull requests: the App was uninstalled, or nobody asks about it. */
export async function forgetObserved(tx: Transaction, repository_id: bigint, now: Date): Promise<void> {
  // Pull requests are locked before activities, as everywhere.
  await tx.$executeRaw`
    delete from pull_requests where (repository_id, number) in (
      select repository_id, number from pull_requests where repository_id = ${repository_id} order by number for update)`
  await tx.checkRun.deleteMany({ where: { repository_id } })
  await tx.activity.updateMany({
    where: { repository_id, source: 'pull_request', ended_at: null },
    data: { ...archivedAt(now, 'closed'), updated_at: now },
  })
  const unread = { pulls_asked_at: null, pulls_read_at: null, pulls_failed_at: null, pulls_unlisted: 0 }
  await tx.repository.updateMany({ where: { repository_id }, data: { ...unread, updated_at: now } })
}

/**
 * Ends one that GitHub does not have any more, or that is beyond those that are listed. Of these, one that was put aside is
 * remembered: it would come back with the next comment on it.
 */
export async function forgetPull(
  tx: Transaction,
  { id: repository_id, number }: { id: bigint; number: number },
  { isGone, now }: { isGone: boolean; now: Date },
): Promise<void> {
  const row = await lockPull(tx, repository_id, number)
  if (!row || (row.put_aside_head !== null && !isGone)) return
  const activity = await liveActivity(tx, row)
  if (activity) {
    await endActivity(tx, activity, 'closed', now, now)
    await lookAgain(tx, repository_id, { ids: [activity.id] }, now)
  }
  await tx.pullRequest.delete({ where: { repository_id_number: { repository_id, number } } })
  await endCheckRun(tx, repository_id, number, now)
}
