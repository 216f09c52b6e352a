import type { Scope } from '../../scope/schema.ts'
import type { ComparableWork } from '../changed/changed-work.ts'
import type { NamedIssues } from '../duplicates/same-issue-rules.ts'
import type { BranchInfo } from '../relationship/relationship.ts'
import type { Closeness } from '../severity.ts'

/** Which activities a check reads: those of this repository that are live at `now`. */
export interface LiveFilter {
  repositoryId: bigint
  now: Date
  /** Whether the caller sees observed work and what GitHub says about changes. */
  seesObserved: boolean
}

/** A row and its version. Every change of a row makes a new version, a heartbeat too. */
export interface RowVersion {
  id: string
  version: string
}

/** What a check needs to know of a pull request (`pull_requests`). */
export interface PullRequestInfo {
  number: number
  /** Whether its head branch is of another repository. */
  is_fork: boolean
  head_ref: string
  head_sha: string
  /** GitHub's `author_association`. */
  association: string
}

/** The columns of an activity that a check compares and describes. */
export interface ComparedActivity extends BranchInfo, Scope {
  id: string
  title: string
  actor: string
  agent: string | null
  status: string
  risk: string
  blocking: boolean
  /** Whether the stored scope has more paths than are compared. */
  is_cut?: boolean
  source: string
  /** Whether a person declared the scope. Otherwise only the changes count. */
  is_declared: boolean
  author_login: string | null
  author_id: bigint | null
  /** The issues that it means to close. */
  issues: NamedIssues
  pr_url: string | null
  /** The number of its pull request, if that is of this repository. */
  pr_number: number | null
  /** When it was recorded, or its pull request was opened. */
  began_at: Date
  /** The last heartbeat or push. */
  seen_at: Date | null
  /** The pull request of observed work. */
  pull: PullRequestInfo | null
  /** Null where no changes are known. */
  changed: ComparableWork | null
  /** The observed work that this recorded activity covers. */
  covers?: ObservedPart | undefined
}

/** What GitHub shows of a pull request or a pushed branch, without the data of the activity that covers it. */
export type ObservedPart = Pick<ComparedActivity, 'author_login' | 'author_id' | 'seen_at' | 'changed'>

/** An activity as loaded from the database or the cache, live or ended. */
export interface LoadedActivity extends ComparedActivity {
  ended_at: Date | null
}

/** An activity as cached, with the changes that GitHub shows and the client has sent. Not every caller sees GitHub's. */
export interface CachedActivity extends LoadedActivity {
  /** What the client alone has sent. */
  client: ComparableWork | null
}

/** An activity whose overlap the index decides, neither own nor stacked. Its row is not loaded. */
export interface ActivityMatchedByIndex extends RowVersion {
  closeness: Exclude<Closeness, 'areas'>
  is_grave: boolean
}

export interface MergedActivity
  extends Pick<
    ComparedActivity,
    | 'id'
    | 'title'
    | 'actor'
    | 'branch'
    | 'pr_url'
    | 'pr_number'
    | 'areas'
    | 'paths'
    | 'source'
    | 'is_declared'
    | 'issues'
    | 'pull'
    | 'changed'
  > {
  ended_at: Date
}

export interface ComparedNotable extends Scope {
  id: string
  title: string
  category: string
  importance: string
  blocking: boolean
  /** The account that raised it. */
  author_login: string | null
  applies_until: Date | null
  expires_at: Date
  /** Whether the stored scope has more paths than are compared. */
  is_cut?: boolean
}

/** A live activity that may be the caller's own or stacked. */
export interface StackedActivity extends BranchInfo {
  id: string
  /** The number of its pull request, if nobody recorded it; null for a pushed branch. */
  pull_number?: number | null | undefined
  /** Whether it is a pull request of somebody outside of the project, from a fork. */
  of_stranger?: boolean | undefined
}

/** Loads these activities. Leaves out those that were deleted. */
export type LoadActivities = (rows: readonly RowVersion[]) => Promise<readonly LoadedActivity[]>

/** How many open pull requests were put aside, and by whom. */
export interface PutAside {
  count: number
  /** Null stands for accounts whose login is not known. */
  by: (string | null)[]
}
