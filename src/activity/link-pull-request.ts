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
 * A pull request was opened or changed (decisions §10): the live work of its branch that has none gets this one, and
 * whether it is a draft is followed. The default branch as a head links nothing. An event that comes late leaves work alone
 * that was created since, as the branch may have been made anew, and work that has followed a later one.
 */
export async function linkPullRequest(tx: Prisma.TransactionClient, pullRequest: OpenPullRequest, now: Date) {
  const { repositoryId, number, url, head, defaultBranch, draft, opened, updatedAt } = pullRequest
  const links = head !== null && head !== defaultBranch
  const link = { number, url, now, createdUntil: latestCreatedAt(updatedAt, now) }
  const linked = links ? await linkLiveOnBranch(tx, { repositoryId, branch: head }, link) : 0
  return { linked, followed: await followDraft(tx, { repositoryId, number }, { draft, opened, updatedAt, now }) }
}
