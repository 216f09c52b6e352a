import type { Prisma } from '../db/generated/client.ts'
import type { PullFacts } from '../github/pull-facts.ts'

type Transaction = Prisma.TransactionClient

interface Repository {
  id: bigint
  owner: string
  name: string
  defaultBranch: string
}

export interface OpenPull {
  repository: Repository
  facts: PullFacts
  githubServerUrl: string
  /** It was just opened or reopened: `active` work follows it too. */
  isOpened: boolean
  now: Date
}

export interface MergedPull {
  repository: Repository
  facts: PullFacts
  /** Null where GitHub does not say. */
  mergedAt: Date | null
  now: Date
}

export interface BranchEvent {
  repository: Repository
  branch: string
  /** GitHub's `pushed_at` of the repository. */
  pushedAt: Date | null
  now: Date
}

/** Links recorded work of its head branch to an open pull request; linked work follows its draft state. */
export async function openPull(tx: Transaction, { repository, facts, isOpened, now }: OpenPull): Promise<void> {
  const status = facts.is_draft ? 'draft-pr-open' : 'ready-for-review'
  const follows = ['draft-pr-open', 'ready-for-review', ...(isOpened ? ['active'] : [])]
  const linked = { repository_id: repository.id, pr_number: facts.number, source: 'recorded', ended_at: null } as const
  await tx.activity.updateMany({ where: { ...linked, status: { in: follows } }, data: { status, updated_at: now } })
  await tx.activity.updateMany({ where: linked, data: { draft_pr: facts.is_draft } })
}

/** Archives recorded work as merged. */
export async function mergedPull(tx: Transaction, { repository, facts, now }: MergedPull): Promise<void> {
  const where = { repository_id: repository.id, pr_number: facts.number, source: 'recorded', ended_at: null } as const
  const ended = { archived_at: now, ended_at: now, updated_at: now }
  await tx.activity.updateMany({ where, data: { status: 'archived', archived_reason: 'merged', ...ended } })
}

/** Archives the recorded work of a branch that was deleted. */
export async function deletedBranch(tx: Transaction, { repository, branch, now }: BranchEvent): Promise<void> {
  const where = { repository_id: repository.id, branch, source: 'recorded', ended_at: null } as const
  const ended = { archived_at: now, ended_at: now, updated_at: now }
  await tx.activity.updateMany({ where, data: { status: 'archived', archived_reason: 'branch_deleted', ...ended } })
}

/** A push is a heartbeat of the recorded work of its branch. */
export async function pushedBranch(tx: Transaction, { repository, branch, pushedAt, now }: BranchEvent): Promise<void> {
  const where = { repository_id: repository.id, branch, source: 'recorded', ended_at: null } as const
  const at = pushedAt === null || pushedAt > now ? now : pushedAt
  await tx.activity.updateMany({ where: { ...where, created_at: { lte: at } }, data: { heartbeat_at: at } })
}
