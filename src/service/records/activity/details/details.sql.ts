import type { Database } from '../../../db/database.ts'
import type { Activity as ActivityModel } from '../../../db/generated/client.ts'
import { readPrepared } from '../../../db/sql/prepared.ts'
import { coveringActivitySql, coveringBranchWorkSql } from '../pull-request/covered.sql.ts'
import type { DetailRow } from './details.ts'

type Related = Pick<ActivityModel, 'repository_id' | 'id' | 'pr_repository_id' | 'pr_number' | 'branch' | 'pr_url'>

/**
 * Whether the repository `$1` has open pull requests or pushed branches. If not, nothing is covered. The order makes
 * PostgreSQL use the index. Otherwise it may read the table, and expect to find a row soon.
 */
export const hasObservedWorkSql = `((
  select true from pull_requests where repository_id = $1 and state = 'open' order by head_ref limit 1) is not null
  or (select true from pushed_branches where repository_id = $1 order by branch limit 1) is not null)`

const covering = coveringActivitySql('pull', '$5::timestamptz')
const pullColumns = `select pull.activity_id, ${covering} as covered_by from pull_requests as pull
  where pull.repository_id = $1 and pull.activity_id is not null`
const pushedColumns = `select pushed.id, ${coveringBranchWorkSql('pushed', '$5::timestamptz')} as covered_by from activities as pushed
  where pushed.repository_id = $1 and pushed.source = 'branch' and pushed.ended_at is null and pushed.expires_at > $5`

/** The commits of the observed work whose changes these are, as far as they belong to these changes. */
const commits = `case changes.by when 'github' then (
    select case source
      when 'pull_request' then (
        select array_to_json(commits) from pull_requests
         where repository_id = $1 and number = origin.pr_number and files_head_sha = head_sha)
      when 'branch' then (
        select array_to_json(commits) from pushed_branches
         where repository_id = $1 and branch = origin.branch and files_head_sha = head_sha) end
      from activities as origin where repository_id = $1 and id = shown.source) end`

/** The issues of the work that an activity covers. */
const coveredIssues = `case when shown.source <> shown.id then (
    select array_to_json(issues) from activities where repository_id = $1 and id = shown.source) end`

function detailsSql(files: string, commits: string): string {
  return `with covered as materialized (
      ${pullColumns} and pull.number = any($3::int[])
      union
      ${pullColumns} and pull.state = 'open' and pull.head_ref = any($4::text[])
      union
      ${pushedColumns} and pushed.branch = any($6::text[])),
    shown as (
      select id, id as source from unnest($2::text[]) as id
      union all
      select covered_by, activity_id from covered where covered_by = any($2::text[]))
    select shown.id, covered.covered_by, ${coveredIssues} as issues, changes.by, changes.head_sha, ${files} as files, ${commits} as commits,
           changes.files_total, changes.files_known, changes.directories, changes.read_at
      from shown
      left join covered on covered.activity_id = shown.id
      left join activity_changes as changes on changes.repository_id = $1 and changes.activity_id = shown.source`
}

const detailTables = ['activities', 'pull_requests', 'activity_changes']
const texts = {
  counts: detailsSql('null', 'null'),
  files: detailsSql('changes.files', 'null'),
  'files and commits': detailsSql('changes.files', commits),
}

export interface DetailQuery {
  now: Date
  /** How much of the changes is loaded. */
  changes: keyof typeof texts
  /** Whether to look for observed work that an activity covers. */
  observed: boolean
}

/**
 * Loads which recorded activity covers each of these activities, and what they change. The changes of covered work are
 * those of the activity that covers it.
 */
export async function loadDetailRows(
  db: Database,
  rows: readonly Related[],
  { now, changes, observed }: DetailQuery,
): Promise<DetailRow[]> {
  const [first] = rows
  if (!first) return []
  const related = observed ? rows : []
  const linked = related.flatMap(({ repository_id, pr_repository_id, pr_number }) =>
    pr_repository_id === repository_id && pr_number !== null ? pr_number : [],
  )
  const branches = related.flatMap(({ branch, pr_url }) => (branch !== null && pr_url === null ? branch : []))
  const pushed = related.flatMap(({ branch }) => branch ?? [])
  const ids = rows.map(({ id }) => id)
  const values = [first.repository_id, ids, linked, branches, now, pushed]
  return readPrepared<DetailRow>(db, detailTables, texts[changes], values)
}
