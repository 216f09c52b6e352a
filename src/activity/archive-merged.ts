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
 * Archives the live activities of a merged pull request (docs/rules.md#merged-pull-requests). Activities that the
 * deletion of the branch or their expiry archived before become `merged` too.
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
