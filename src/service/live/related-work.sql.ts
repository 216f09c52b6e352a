import type { Database } from '../db/database.ts'
import { coveringActivitySql, coveringBranchWorkSql } from '../records/activity/pull-request/covered.sql.ts'

const open = `pull.repository_id = $1 and pull.state = 'open' and pull.activity_id is not null`
const livePushed = (now: string) =>
  `pushed.repository_id = $1 and pushed.source = 'branch' and pushed.ended_at is null and pushed.expires_at > ${now}`

/** The observed work that one of these recorded activities may cover, and what covers those of them that are observed. */
export async function findRelatedWork(
  db: Database,
  repositoryId: bigint,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select pull.activity_id as id
       from activities as recorded join pull_requests as pull
         on ${open} and (pull.number = recorded.pr_number or pull.head_ref = recorded.branch)
      where recorded.repository_id = $1 and recorded.id = any($2) and recorded.source = 'recorded'
     union
     select ${coveringActivitySql('pull', '$3::timestamptz')} from pull_requests as pull
      where ${open} and pull.activity_id = any($2)
     union
     select pushed.id from activities as recorded join activities as pushed
         on ${livePushed('$3::timestamptz')} and pushed.branch = recorded.branch
      where recorded.repository_id = $1 and recorded.id = any($2) and recorded.source = 'recorded'
     union
     select ${coveringBranchWorkSql('pushed', '$3::timestamptz')} from activities as pushed
      where ${livePushed('$3::timestamptz')} and pushed.id = any($2)`,
    [repositoryId, ids, now],
  )
  return rows.flatMap(({ id }) => id ?? [])
}
