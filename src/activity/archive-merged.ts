import type { Prisma } from '../db/generated/client.ts'
import { archiveMergedWork } from './branch-store.ts'
import { tolerance } from './event-time.ts'

export interface Merge {
  repositoryId: bigint
  number: number
  /** The head branch, where the head is in the same repository; null for a fork's. */
  head: string | null
  base: string | null
  defaultBranch: string | null
  mergedAt: Date | null
}

/**
 * A pull request merged (decisions §10): live work that is linked to it, or is on its branch without a link, is archived;
 * work that the branch's deletion or its expiry archived first is said to be merged.
 */
export async function archiveMerged(tx: Prisma.TransactionClient, merge: Merge, now: Date) {
  const { repositoryId, number, head, base, defaultBranch, mergedAt } = merge
  const work = {
    pullRequest: { repositoryId, number },
    head: head === defaultBranch ? null : head,
    base,
    createdUntil: mergedAt && new Date(mergedAt.getTime() + tolerance),
    deletedFrom: mergedAt && new Date(mergedAt.getTime() - tolerance),
  }
  return { merged: await archiveMergedWork(tx, work, now) }
}
