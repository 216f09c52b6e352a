export type AuthorAssociation =
  | 'COLLABORATOR'
  | 'CONTRIBUTOR'
  | 'FIRST_TIMER'
  | 'FIRST_TIME_CONTRIBUTOR'
  | 'MANNEQUIN'
  | 'MEMBER'
  | 'NONE'
  | 'OWNER'

export interface Pull {
  id: number
  number: number
  title: string
  body: string | null
  author: string
  authorAssociation: AuthorAssociation
  state: 'open' | 'closed'
  draft: boolean
  /** The repository of the head branch; null if the fork was deleted. */
  headRepositoryId: number | null
  headOwner: string
  head: string
  headSha: string
  base: string
  baseSha: string
  /** GitHub says `unknown` while it computes this, and after the merge. */
  mergeableState: 'clean' | 'dirty' | 'blocked' | 'behind' | 'unstable' | 'draft' | 'unknown'
  files: readonly ChangedFile[]
  /** Oldest first. The last one is the head. */
  commits: readonly Commit[]
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
  mergedAt: Date | null
  mergeSha: string | null
}

export type FileStatus = 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed' | 'unchanged'

/** A file that a pull request changes. */
export interface ChangedFile {
  path: string
  /** For a renamed or copied file. */
  previousPath: string | null
  status: FileStatus
  additions: number
  deletions: number
  /** The hunks; null for a binary file, a patch that is too large, and a file without changed lines. */
  patch: string | null
  /** The id of the blob. */
  sha: string
}

export interface Commit {
  sha: string
  message: string
  /** The login of the author and committer; null if no account has their email address. */
  author: string | null
  authoredAt: Date
  committedAt: Date
}

/** What a branch changes, for pull requests from it. */
export interface BranchChanges {
  files: readonly ChangedFile[]
  commits: readonly Commit[]
}
