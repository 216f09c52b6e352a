import { Prisma } from '../../db/generated/client.ts'
import type { PullRequestFacts, PullRequestRow } from './pull-request.ts'
import { rowFacts } from './pull-request-rules.ts'

const columns = Prisma.sql([Object.values(Prisma.PullRequestScalarFieldEnum).join(', ')])

/**
 * Reads the row of a pull request and locks it until the transaction ends. Code that decides which activity covers a
 * pull request locks this row first, and activities afterwards. Undefined if nothing is known of it.
 */
export async function lockPullRequest(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  number: number,
): Promise<PullRequestRow | undefined> {
  const [row] = await tx.$queryRaw<PullRequestRow[]>`
    select ${columns} from pull_requests where repository_id = ${repositoryId} and number = ${number} for update`
  return row
}

/** Locks the row of a pull request. Inserts it first if nothing is known of it: then `isNew` is true. */
export async function lockOrInsertPullRequest(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  facts: PullRequestFacts,
  now: Date,
): Promise<{ row: PullRequestRow; isNew: boolean }> {
  const { number, openedAt } = facts
  const known = await lockPullRequest(tx, repositoryId, number)
  if (known) return { row: known, isNew: false }
  const values = { repository_id: repositoryId, number, ...rowFacts(facts), pushed_at: openedAt, read_after: now }
  const inserted = await tx.$executeRaw`
    insert into pull_requests (${Prisma.raw(Object.keys(values).join(', '))}) values (${Prisma.join(Object.values(values))})
    on conflict (repository_id, number) do nothing`
  if (inserted === 1) await removeFromIssues(tx, repositoryId, number)
  const row = await lockPullRequest(tx, repositoryId, number)
  if (!row) throw new Error('a pull request was deleted while it was saved')
  return { row, isNew: inserted === 1 }
}

/** These numbers without those of known pull requests: such a number is no issue. */
export async function withoutPullRequests(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  numbers: readonly number[],
): Promise<number[]> {
  if (numbers.length === 0) return []
  const found = await tx.pullRequest.findMany({
    where: { repository_id: repositoryId, number: { in: [...numbers] } },
    select: { number: true },
  })
  const known = new Set(found.map(({ number }) => number))
  return numbers.filter((number) => !known.has(number))
}

/** Removes the number of a new pull request from the issues of other activities: it is no issue. */
async function removeFromIssues(tx: Prisma.TransactionClient, repositoryId: bigint, number: number): Promise<void> {
  await tx.$executeRaw`
    update activities set issues = array_remove(issues, ${number}) where repository_id = ${repositoryId} and id in (
      select activity.id from activity_issues as named join activities as activity
          on activity.repository_id = ${repositoryId} and activity.id = named.activity_id
       where named.repository_id = ${repositoryId} and named.number = ${number} and source = 'pull_request'
       order by activity.id for update of activity)`
}

/** Changes the locked row of a pull request. */
export async function changePullRequest(
  tx: Prisma.TransactionClient,
  { repository_id, number }: Pick<PullRequestRow, 'repository_id' | 'number'>,
  changes: Partial<PullRequestRow>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx.pullRequest.update({ where: { repository_id_number: { repository_id, number } }, data: changes })
}
