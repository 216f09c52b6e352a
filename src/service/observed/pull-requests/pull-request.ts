import type { PullRequest as PullRequestModel } from '../../db/generated/client.ts'

/** A pull request as stored (`pull_requests`): the last facts from GitHub, and how far it is read. */
export type PullRequestRow = PullRequestModel

/** The repository of a pull request, as far as its records need it. */
export interface ObservedRepositoryRef {
  /** GitHub's id. */
  id: bigint
  owner: string
  name: string
  /** Null if it is not known. */
  defaultBranch: string | null
  /** GitHub's web address. */
  serverUrl: string
}

/** Where a pull request stands, as every event says it: enough to archive recorded work. */
export interface PullRequestState {
  number: number
  state: 'open' | 'merged' | 'closed'
  headRef: string
  /** Null if the fork was deleted. */
  headRepositoryId: bigint | null
  /** Null if the event does not say. */
  baseRef: string | null
  /** When it ended; null while it is open, or if the event does not say. */
  endedAt: Date | null
}

/** The head branch of a pull request; null if it is in another repository, such as a fork. */
export function headBranchIn(
  { headRef, headRepositoryId }: Pick<PullRequestState, 'headRef' | 'headRepositoryId'>,
  repositoryId: bigint,
): string | null {
  return headRepositoryId === repositoryId ? headRef : null
}

/** What GitHub says about a pull request, from its list, a single read or a webhook. */
export interface PullRequestFacts extends PullRequestState {
  title: string
  draft: boolean
  headSha: string
  headOwner: string | null
  baseRef: string
  author: { id: bigint; login: string } | null
  /** GitHub's `author_association`, such as `MEMBER`. */
  authorAssociation: string
  openedAt: Date
  updatedAt: Date
  /** The issues that its title and body say it closes, sorted. A pull request may be among them. */
  issues: number[]
}

/** What a webhook adds to the facts. */
export interface PullRequestEventFacts {
  /** Whether the event is that the pull request was reopened. */
  reopened: boolean
  /** When the head was pushed; null if the event is not about a push. */
  pushedAt: Date | null
}

/** The files and commits of one head, as GitHub lists them. */
export interface ReadFiles<File> {
  headSha: string
  files: readonly File[]
  /** How many files are changed. It may be more than `files` holds. */
  filesTotal: number
  /** Whether more files are changed than GitHub lists, or may be. */
  isPartlyListed: boolean
  /** The SHAs of the commits, oldest first. */
  commits: readonly string[]
  /** The committer date of the last commit; null if GitHub did not say. */
  committedAt: Date | null
}
