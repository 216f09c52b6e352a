import type { Account } from '../schemas/account.ts'
import type { Scope } from '../scope/schema.ts'
import type { ChangedWork } from './changed/changed-work.ts'
import type { NamedIssues } from './duplicates/same-issue-rules.ts'
import type { EndedActivity, OwnActivity } from './findings.ts'
import type { BranchInfo } from './relationship/relationship.ts'

/** The work that the caller is about to do. */
export interface Proposal extends BranchInfo {
  scope: Scope
  /** Labels that count as areas of the proposal. */
  tags: string[]
  /** The issues that it means to close. */
  issues: NamedIssues
  /** The login of the account behind the work; null where it is not known. */
  author: string | null
  /** The account by whose id its own pull requests are recognised; null where it is not known. */
  account: Account | null
  /** The caller's own activity, which is left out of the comparison. */
  self: string | undefined
  /** The caller's own activity, if it has ended. */
  ended?: EndedActivity | undefined
  /** The caller's own activity, if there is one. */
  own?: OwnActivity | undefined
  /** The number of its pull request, if that is of this repository. */
  pullNumber?: number | null | undefined
  /** Whether it is a pull request of a stranger, whose new files do not count where paths are declared (docs/rules.md#strangers). */
  byStranger?: boolean | undefined
  /** Whether no text may name the files that it alone adds (docs/rules.md#strangers-words). */
  hidesWords?: boolean | undefined
  /** Whether it is a pull request without a push for long. */
  isStale?: boolean | undefined
  /** What raises the severity for others, where the proposal says so. */
  weight?: { risk: string; blocking: boolean } | undefined
  /** What it changes, as far as is known. An empty list says that nothing is changed. */
  changes?: ProposedChanges | null | undefined
}

/** The changes of a proposal: the files of its author and of its pull request. */
export interface ProposedChanges extends Pick<ChangedWork, 'files' | 'headSha' | 'filesTotal'> {
  commits?: ReadonlySet<string> | undefined
}
