import type { Prisma } from '../db/generated/client.ts'
import { tolerance } from './archive-merged.ts'
import { archiveLiveOnBranch, type BranchOf, countMergedOnBranch } from './branch-store.ts'

/** Longer than GitHub redelivers: a push so long ago is not this deletion's time (decisions §10). */
const longestRedelivery = 8 * 86_400_000

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
  const archived = await archiveLiveOnBranch(tx, deleted, { now, createdUntil: boundOf(deleted.pushedAt, now) })
  return archived > 0 ? { archived } : { archived, already_merged: await countMergedOnBranch(tx, deleted) }
}

/** Work created after this instant is on a newer branch; null where the push says nothing about the deletion. */
export function boundOf(pushedAt: Date | null, now: Date): Date | null {
  if (pushedAt === null || now.getTime() - pushedAt.getTime() > longestRedelivery) return null
  return new Date(pushedAt.getTime() + tolerance)
}
