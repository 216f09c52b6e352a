import type { Prisma } from '../db/generated/client.ts'
import { followDraft, linkLiveOnBranch } from './branch-store.ts'
import { latestCreatedAt } from './event-time.ts'

export interface OpenPullRequest {
  repositoryId: bigint
  number: number
  /** Canonical. */
  url: string
  /** The head branch, where the head is in the same repository; null for a fork's. */
  head: string | null
  defaultBranch: string | null
  draft: boolean
  /** Whether it was opened or reopened just now. */
  opened: boolean
  /** When it last changed: for the event, unless that is a sample's. */
  updatedAt: Date | null
}

/**
 * Links the live activities of the head branch to an opened or changed pull request, and lets linked activities follow
 * its draft state (docs/rules.md#opened-pull-requests). A default branch as the head links nothing. A late event
 * links no activity created since, and does not overwrite the draft state of a newer event.
 */
export async function linkPullRequest(tx: Prisma.TransactionClient, pullRequest: OpenPullRequest, now: Date) {
  const { repositoryId, number, url, head, defaultBranch, draft, opened, updatedAt } = pullRequest
  const links = head !== null && head !== defaultBranch
  const link = { number, url, now, createdUntil: latestCreatedAt(updatedAt, now) }
  const linked = links ? await linkLiveOnBranch(tx, { repositoryId, branch: head }, link) : 0
  return { linked, followed: await followDraft(tx, { repositoryId, number }, { draft, opened, updatedAt, now }) }
}
