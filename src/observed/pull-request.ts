import type { PullRequest as PullRequestModel } from '../db/generated/client.ts'

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

/** What GitHub says about a pull request, from its list, a single read or a webhook. */
export interface PullRequestFacts {
  number: number
  state: 'open' | 'merged' | 'closed'
  title: string
  draft: boolean
  headSha: string
  headRef: string
  /** Null if the fork was deleted. */
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
