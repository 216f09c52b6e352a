import type { PullRequest as PullRequestModel } from '../db/generated/client.ts'

/** A pull request as stored (`pull_requests`): what GitHub said last, and how far it is read. */
export type PullRequestRow = PullRequestModel

/** What GitHub says about a pull request, from its list, a single read or a webhook. */
export interface PullRequestFacts {
  number: number
  state: 'open' | 'merged' | 'closed'
  title: string
  draft: boolean
  headSha: string
  headRef: string
  /** Null if the fork is gone. */
  headRepositoryId: bigint | null
  headOwner: string | null
  baseRef: string
  author: { id: bigint; login: string } | null
  /** GitHub's `author_association`, such as `MEMBER`. */
  authorAssociation: string
  openedAt: Date
  updatedAt: Date
  /** When it ended; null while it is open. */
  endedAt: Date | null
}
