import type { Database } from '../db/database.ts'
import { coveringActivitySql } from '../records/activity/pull-request/covered.sql.ts'

/** The issues of the live recorded activity that covers a pull request (docs/rules.md#covered-work). Undefined if none does. */
export async function findCoveringIssues(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  number: number,
  now: Date,
): Promise<{ issues: number[]; issues_from: string | null } | undefined> {
  const { rows } = await db.query<{ issues: number[]; issues_from: string | null }>(
    `select array_to_json(issues) as issues, issues_from from activities
      where repository_id = $1 and id = (
        select ${coveringActivitySql('pull', '$3')} from pull_requests as pull where repository_id = $1 and number = $2)`,
    [repositoryId, number, now],
  )
  return rows[0]
}
