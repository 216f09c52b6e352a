import { Prisma } from '../../db/generated/client.ts'
import { headBranchIn, type PullRequestFacts } from '../pull-requests/pull-request.ts'
import type { Push, PushedBranchRow } from './pushed-branch.ts'

const columns = Prisma.sql([Object.values(Prisma.PushedBranchScalarFieldEnum).join(', ')])

/** Reads the row of a branch and locks it until the transaction ends. It is locked before activities are. */
export async function lockPushedBranch(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  branch: string,
): Promise<PushedBranchRow | undefined> {
  const [row] = await tx.$queryRaw<PushedBranchRow[]>`
    select ${columns} from pushed_branches where repository_id = ${repositoryId} and branch = ${branch} for update`
  return row
}

/**
 * Saves a push, and marks the branch as unread. Undefined if a later push or a deletion of the branch is known. GitHub's times
 * are whole seconds: of two pushes in the same second, the later one begins at the head of the other one; of a push and a
 * deletion, the deletion is mostly the later one.
 */
export async function insertPush(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { branch, headSha, beforeSha, pushedAt, pusher }: Push,
  now: Date,
): Promise<PushedBranchRow | undefined> {
  const [row] = await tx.$queryRaw<PushedBranchRow[]>`
    insert into pushed_branches as known (repository_id, branch, head_sha, pushed_at, pusher_login, pusher_id, read_after)
    values (${repositoryId}, ${branch}, ${headSha}, ${pushedAt}, ${pusher?.login ?? null}, ${pusher?.id ?? null}, ${now})
    on conflict (repository_id, branch) do update
      set head_sha = excluded.head_sha, pushed_at = excluded.pushed_at, pusher_login = excluded.pusher_login,
          pusher_id = excluded.pusher_id, files_head_sha = null, read_attempts = 0, read_after = excluded.read_after
    where known.pushed_at < excluded.pushed_at or (known.pushed_at = excluded.pushed_at and known.head_sha = ${beforeSha})
    returning ${columns}`
  return row
}

/** Saves that a branch of which no push is known was deleted, so that an earlier push that arrives late is not observed. */
export async function insertDeletion(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  branch: string,
  deletedAt: Date,
): Promise<void> {
  await tx.$executeRaw`
    insert into pushed_branches (repository_id, branch, pushed_at, read_after)
    values (${repositoryId}, ${branch}, ${deletedAt}, ${deletedAt})
    on conflict (repository_id, branch) do nothing`
}

/** Changes the locked row of a branch. */
export async function changePushedBranch(
  tx: Prisma.TransactionClient,
  { repository_id, branch }: Pick<PushedBranchRow, 'repository_id' | 'branch'>,
  changes: Partial<PushedBranchRow>,
): Promise<void> {
  await tx.pushedBranch.update({ where: { repository_id_branch: { repository_id, branch } }, data: changes })
}

/**
 * Whether an open pull request keeps a branch from being observed: it is its head, or has the same head commit, or is based
 * on the branch and not by the account that pushed last.
 */
const isOfOpenPull = Prisma.sql`exists (
  select from pull_requests as pull
   where pull.repository_id = pushed.repository_id and pull.state = 'open'
     and (pull.head_sha = pushed.head_sha
          or (pull.head_ref = pushed.branch and pull.head_repository_id = pushed.repository_id)
          or (pull.base_ref = pushed.branch and pull.author_id is distinct from pushed.pusher_id)))`

/** Whether an open pull request keeps a locked branch from being observed. */
export async function isOfOpenPullRequest(
  tx: Prisma.TransactionClient,
  { repository_id, branch }: Pick<PushedBranchRow, 'repository_id' | 'branch'>,
): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ found: boolean }[]>`
    select ${isOfOpenPull} as found from pushed_branches as pushed
     where repository_id = ${repository_id} and branch = ${branch}`
  return found?.found ?? false
}

/** How many branches of a repository, pushed after `pushedAfter`, are to be observed and not read. */
export async function countUnreadBranches(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  repositoryId: bigint,
  pushedAfter: Date,
): Promise<number> {
  const [found] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::integer as count from pushed_branches as pushed
     where repository_id = ${repositoryId} and files_head_sha is distinct from head_sha and head_sha is not null
       and pushed_at > ${pushedAfter} and not ${isOfOpenPull}`
  return found?.count ?? 0
}

/** The branches with one of these head commits. Locks them. */
export function lockBranchesAt(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  headShas: readonly string[],
): Promise<PushedBranchRow[]> {
  return tx.$queryRaw<PushedBranchRow[]>`
    select ${columns} from pushed_branches
     where repository_id = ${repositoryId} and head_sha = any(${headShas}::text[])
     order by branch for update`
}

/** The branches that an open pull request keeps from being observed, as `isOfOpenPullRequest` says. Locks them. */
export function lockBranchesOf(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  facts: PullRequestFacts,
): Promise<PushedBranchRow[]> {
  const { headSha, baseRef, author } = facts
  return tx.$queryRaw<PushedBranchRow[]>`
    select ${columns} from pushed_branches
     where repository_id = ${repositoryId} and head_sha is not null
       and (head_sha = ${headSha} or branch = ${headBranchIn(facts, repositoryId)}
            or (branch = ${baseRef} and pusher_id is distinct from ${author?.id ?? null}))
     order by branch for update`
}

/** The branches of a repository that have a record. */
export async function findRecordedBranches(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<string[]> {
  const rows = await tx.pushedBranch.findMany({
    where: { repository_id: repositoryId, activity_id: { not: null } },
    select: { branch: true },
    orderBy: { branch: 'asc' },
  })
  return rows.map(({ branch }) => branch)
}

/** Deletes what is known of the pushed branches of a repository. Their records stay. Returns how many there were. */
export function deletePushedBranches(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<number> {
  return tx.$executeRaw`
    delete from pushed_branches where repository_id = ${repositoryId} and branch in (
      select branch from pushed_branches where repository_id = ${repositoryId} order by branch for update)`
}
