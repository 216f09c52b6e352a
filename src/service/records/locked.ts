import { type Activity, type Notable, Prisma } from '../db/generated/client.ts'

const { sql } = Prisma
type Transaction = Prisma.TransactionClient

/**
 * The rows that a transaction is about to change, as they are once nobody else changes them. Pull requests are locked before
 * activities, and these by id, so that nobody waits in a circle.
 */
export async function lockActivity(tx: Transaction, repositoryId: bigint, id: string): Promise<Activity | undefined> {
  const [row] = await tx.$queryRaw<Activity[]>`
    select * from activities where repository_id = ${repositoryId} and id = ${id} for update`
  return row
}

/** The live recorded work on a branch. */
export function lockBranch(tx: Transaction, repositoryId: bigint, branch: string): Promise<Activity[]> {
  return lockRecorded(tx, repositoryId, sql`ended_at is null and branch = ${branch}`)
}

/** The live recorded work on a branch, and that which will merge into it. */
export function lockBranchAndBase(tx: Transaction, repositoryId: bigint, branch: string): Promise<Activity[]> {
  return lockRecorded(tx, repositoryId, sql`ended_at is null and (branch = ${branch} or base_branch = ${branch})`)
}

/** The recorded work with a pull request, or on its head branch; ended work too. */
export function lockPullWork(
  tx: Transaction,
  repositoryId: bigint,
  { number, head }: { number: number; head: string | null },
): Promise<Activity[]> {
  return lockRecorded(tx, repositoryId, sql`(pr_number = ${number} or branch = ${head})`)
}

function lockRecorded(tx: Transaction, repositoryId: bigint, which: Prisma.Sql): Promise<Activity[]> {
  return tx.$queryRaw`
    select * from activities where repository_id = ${repositoryId} and source = 'recorded' and ${which}
     order by id for update`
}

export async function lockNotable(tx: Transaction, repositoryId: bigint, id: string): Promise<Notable | undefined> {
  const [row] = await tx.$queryRaw<Notable[]>`
    select * from notables where repository_id = ${repositoryId} and id = ${id} for update`
  return row
}

/** The active ones of them. */
export function lockNotables(tx: Transaction, repositoryId: bigint, ids: string[]): Promise<Notable[]> {
  return tx.$queryRaw`
    select * from notables where repository_id = ${repositoryId} and id = any(${ids}) and status = 'active'
     order by id for update`
}
