import type { Database } from '../../db/database.ts'
import type { Activity as ActivityModel } from '../../db/generated/client.ts'
import { readPrepared } from '../../db/prepared.ts'
import { coveringActivitySql } from '../pull-request/covered.sql.ts'
import type { DetailRow } from './details.ts'

type Related = Pick<ActivityModel, 'repository_id' | 'id' | 'pr_repository_id' | 'pr_number' | 'branch' | 'pr_url'>

/**
 * Whether the repository has open pull requests: where `$1` has none, nothing is covered. The order makes PostgreSQL use the
 * index: it may expect to find one soon without it.
 */
export const hasOpenPullRequestsSql = `(
  select true from pull_requests where repository_id = $1 and state = 'open' order by head_ref limit 1) is not null`

const covering = coveringActivitySql('pull', '$5::timestamptz')
const pullColumns = `select pull.activity_id, ${covering} as covered_by from pull_requests as pull
  where pull.repository_id = $1 and pull.activity_id is not null`

function detailsSql(files: string): string {
  return `with pulls as materialized (
      ${pullColumns} and pull.number = any($3::int[])
      union
      ${pullColumns} and pull.state = 'open' and pull.head_ref = any($4::text[])),
    shown as (
      select id, id as source from unnest($2::text[]) as id
      union all
      select covered_by, activity_id from pulls where covered_by = any($2::text[]))
    select shown.id, pulls.covered_by, changes.by, changes.head_sha, ${files} as files,
           changes.files_total, changes.files_known, changes.read_at
      from shown
      left join pulls on pulls.activity_id = shown.id
      left join activity_changes as changes on changes.repository_id = $1 and changes.activity_id = shown.source`
}

const detailTables = ['activities', 'pull_requests', 'activity_changes']
const withFiles = detailsSql('changes.files')
const withoutFiles = detailsSql('null')

/**
 * Who covers these activities, and what they change. The changes of the observed work that an activity covers are its own.
 * Looks for that only if `pullRequests` is set.
 */
export async function loadDetailRows(
  db: Database,
  rows: readonly Related[],
  { now, files, pullRequests }: { now: Date; files: boolean; pullRequests: boolean },
): Promise<DetailRow[]> {
  const [first] = rows
  if (!first) return []
  const related = pullRequests ? rows : []
  const linked = related.flatMap(({ repository_id, pr_repository_id, pr_number }) =>
    pr_repository_id === repository_id && pr_number !== null ? pr_number : [],
  )
  const branches = related.flatMap(({ branch, pr_url }) => (branch !== null && pr_url === null ? branch : []))
  const ids = rows.map(({ id }) => id)
  const text = files ? withFiles : withoutFiles
  return readPrepared<DetailRow>(db, detailTables, text, [first.repository_id, ids, linked, branches, now])
}
