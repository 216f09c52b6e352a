import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { PullRequestFacts, PullRequestRow } from './pull-request.ts'
import { rowFacts } from './pull-request-rules.ts'

/** An open pull request as stored, and whether it has a live record or is put aside at its head. */
export type KnownPullRequest = PullRequestRow & { is_settled: boolean }

/** The open pull requests that are known in a repository, by number. */
export async function findKnownPullRequests(
  { prisma }: Database,
  repositoryId: bigint,
  now: Date,
): Promise<Map<number, KnownPullRequest>> {
  const rows = await prisma.$queryRaw<KnownPullRequest[]>`
    select pull.*, put_aside_head_sha is not distinct from head_sha
             or exists (select from activities as activity
                         where activity.repository_id = ${repositoryId} and activity.id = pull.activity_id
                           and activity.ended_at is null and activity.expires_at > ${now}) as is_settled
      from pull_requests as pull where pull.repository_id = ${repositoryId} and pull.state = 'open'`
  return new Map(rows.map((row) => [row.number, row]))
}

/** Whether saving these facts would change nothing. */
export function saysNothingNew(known: KnownPullRequest, facts: PullRequestFacts): boolean {
  const stored = new Map<string, unknown>(Object.entries(known))
  return (
    known.is_settled && Object.entries(rowFacts(facts)).every(([column, value]) => equals(stored.get(column), value))
  )
}

function equals(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b)
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
}

/** Deletes what is known of a pull request. Returns its row. */
export async function deletePullRequest(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  number: number,
): Promise<PullRequestRow | undefined> {
  const [row] = await tx.$queryRaw<PullRequestRow[]>`
    delete from pull_requests where repository_id = ${repositoryId} and number = ${number} returning *`
  return row
}
