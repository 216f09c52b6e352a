import { coveringActivitySql, coveringBranchWorkSql } from '../activity/pull-request/covered.sql.ts'
import type { Database } from '../db/database.ts'

/** Observed work, and the recorded activity that covers it (docs/rules.md#covered-work). */
export interface CoveredWork {
  observed: string
  by: string
}

const open = `pull.repository_id = $1 and pull.state = 'open' and pull.activity_id is not null`
const livePushed = (now: string) =>
  `pushed.repository_id = $1 and pushed.source = 'branch' and pushed.ended_at is null and pushed.expires_at > ${now}`

/** All covered work of a repository. */
export async function findCoveredWork(db: Database, repositoryId: bigint, now: Date): Promise<CoveredWork[]> {
  const { rows } = await db.query<CoveredWork>(
    `select observed, by from (
       select pull.activity_id as observed, ${coveringActivitySql('pull', '$2::timestamptz')} as by
         from pull_requests as pull where ${open}
       union all
       select pushed.id, ${coveringBranchWorkSql('pushed', '$2::timestamptz')}
         from activities as pushed where ${livePushed('$2::timestamptz')}) as work
      where by is not null`,
    [repositoryId, now],
  )
  return rows
}

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
