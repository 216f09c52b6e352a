import type { Prisma } from '../db/generated/client.ts'
import { archiveLiveOnBranch, type BranchOf, countMergedOnBranch } from './branch-store.ts'
import { latestCreatedAt } from './event-time.ts'

/**
 * Archives the live activities of a deleted branch (docs/rules.md#deleted-branches). Activities created later belong to
 * a new branch of the same name. The event has no time of its own; `pushed_at` of the repository stands for it. If
 * nothing is live, counts the activities that are merged already.
 */
export async function archiveBranch(
  tx: Prisma.TransactionClient,
  deleted: BranchOf & { pushedAt: Date | null },
  now: Date,
): Promise<{ archived: number; already_merged?: number }> {
  const archived = await archiveLiveOnBranch(tx, deleted, { now, createdUntil: latestCreatedAt(deleted.pushedAt, now) })
  return archived > 0 ? { archived } : { archived, already_merged: await countMergedOnBranch(tx, deleted) }
}
