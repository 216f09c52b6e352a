import type { Account } from '../../schemas/account.ts'
import type { ComparedActivity } from '../candidates/rows.ts'
import { areStacked } from '../changed/changed-work.ts'

/** The facts by which the caller's own pull requests are recognized, in addition to the branches. */
export interface Identity {
  branch: string | null
  defaultBranch: string
  /** The number of the proposal's pull request, if that is of this repository. */
  pullNumber: number | null
  headSha: string | null
  /** The commits that the base branch lacks, as far as they are known. */
  commits: ReadonlySet<string>
  /** Null where the account is not known, or not yet. */
  account: Account | null
}

type Work = Pick<ComparedActivity, 'pr_number' | 'pull' | 'author_id' | 'changed'>

/**
 * `own`: the proposal's pull request, or one from a fork of the caller whose head branch has the name of the proposal's
 * branch. `stacked`: the head of one is among the commits of the other (docs/rules.md#relationships).
 */
export function relationshipByPull(
  identity: Identity,
  { pr_number, pull, author_id, changed }: Work,
): 'own' | 'stacked' | undefined {
  if (pr_number !== null && pr_number === identity.pullNumber) return 'own'
  const { account } = identity
  if (pull && isOnBranchOfFork(identity, pull) && account !== null && author_id === account.id) return 'own'
  const commits = { headSha: pull?.head_sha ?? changed?.work.headSha ?? null, commits: changed?.work.commits ?? none }
  return areStacked(identity, commits) ? 'stacked' : undefined
}

const none: ReadonlySet<string> = new Set()

function isOnBranchOfFork({ branch }: Identity, pull: NonNullable<Work['pull']>): boolean {
  return pull.is_fork && branch !== null && pull.head_ref === branch
}

/** Whose work it is. `perhaps own`: the caller's account is not known. */
export type Ownership = 'own' | 'perhaps own' | 'of others'

/** Whether work that collides is the caller's own, on another branch. */
export function ownershipOf(identity: Identity, { pull, author_id }: Pick<Work, 'pull' | 'author_id'>): Ownership {
  const { account, branch, defaultBranch } = identity
  if (account !== null) return author_id === account.id ? 'own' : 'of others'
  return pull && branch !== defaultBranch && isOnBranchOfFork(identity, pull) ? 'perhaps own' : 'of others'
}
