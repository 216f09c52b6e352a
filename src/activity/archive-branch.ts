import type { Prisma } from '../db/generated/client.ts'
import { archiveLiveOnBranch, type BranchOf, countMergedOnBranch } from './branch-store.ts'
import { latestCreatedAt } from './event-time.ts'

/**
 * A branch was deleted (decisions §10): its live work is archived, except what was created after the branch was gone,
 * since then it was made anew. A deletion has no time of its own, only the repository's last push. Where there is no live
 * work, as after a merge, it says how much of it is merged.
 */
export async function archiveBranch(
  tx: Prisma.TransactionClient,
  deleted: BranchOf & { pushedAt: Date | null },
  now: Date,
): Promise<{ archived: number; already_merged?: number }> {
  const archived = await archiveLiveOnBranch(tx, deleted, { now, createdUntil: latestCreatedAt(deleted.pushedAt, now) })
  return archived > 0 ? { archived } : { archived, already_merged: await countMergedOnBranch(tx, deleted) }
}
