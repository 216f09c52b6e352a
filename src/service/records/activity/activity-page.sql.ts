import type { ActivityStatus } from '../../../core/enums.ts'
import type { ActivityFilters } from '../../../core/schemas/activity.ts'
import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import {
  type ListedPage,
  type ListedRow,
  type RecordPage,
  recordPageSql,
  withLongTexts,
} from '../../db/sql/record-page.sql.ts'
import type { SqlParams } from '../../db/sql/sql-params.ts'
import { type FoundActivity, foundColumns, listedColumns } from './activities.sql.ts'
import { coveringActivitySql, coveringBranchWorkSql } from './pull-request/covered.sql.ts'

/** The condition for live activities, or for those that have the status at `now` ($2); purged ones are left out ($3). */
function statusCondition(status: ActivityStatus | undefined): string {
  const due = 'ended_at is null and expires_at <= $2 and expires_at > $3'
  switch (status) {
    case undefined:
      return 'ended_at is null and expires_at > $2'
    case 'expired':
      return 'false'
    case 'archived':
      return `(status = 'archived' and ended_at > $3 or ${due})`
    case 'merged':
    case 'abandoned':
      return `status = '${status}' and ended_at > $3`
    default:
      return `ended_at is null and status = '${status}' and expires_at > $2`
  }
}

/** Observed work that a recorded activity covers is not listed (docs/rules.md#covered-work). */
const notCovered = `(source = 'recorded' or not exists (
  select from pull_requests as pull
   where pull.repository_id = $1 and pull.number = activity.pr_number and pull.activity_id = activity.id
     and ${coveringActivitySql('pull', '$2::timestamptz')} is not null)
  and not (source = 'branch' and ${coveringBranchWorkSql('activity', '$2::timestamptz')} is not null))`

/** Whether the activity names the issue, or covers a pull request that does. */
function namesIssue(number: string, observed: boolean): string {
  const named = `select named.activity_id from activity_issues as named
    where named.repository_id = $1 and named.number = ${number}`
  const covering = `select ${coveringActivitySql('pull', '$2::timestamptz')} from activity_issues as named
      join activities as seen on seen.repository_id = $1 and seen.id = named.activity_id and seen.source = 'pull_request'
      join pull_requests as pull on pull.repository_id = $1 and pull.number = seen.pr_number and pull.activity_id = seen.id
    where named.repository_id = $1 and named.number = ${number}`
  return `id = any (array(${observed ? `${named} union all ${covering}` : named}))`
}

/** The filters of a list, with the account of `mine`. */
export type ListFilters = Omit<ActivityFilters, 'mine'> & {
  authorId?: bigint | undefined
  /** Whether the caller may see observed work. */
  observed: boolean
}

/** Up to `count` activities. */
export async function pageOfActivities(db: Database, page: RecordPage<ListFilters>): Promise<FoundActivity[]> {
  return readPage<FoundActivity>(db, page, foundColumns)
}

/** The same for a list of the API, which ends at the size of a page. */
export async function listedActivities(
  db: Database,
  page: RecordPage<ListFilters>,
): Promise<ListedPage<FoundActivity>> {
  const { repositoryId, count } = page
  const all = await readPage<ListedRow<FoundActivity>>(db, { ...page, count: count + 1 }, listedColumns)
  const { rows, isCut, isLong } = await withLongTexts(db, 'activities', repositoryId, all.slice(0, count))
  return { rows: rows.map(({ row, texts }) => ({ ...row, ...texts })), more: isCut || all.length > count, isLong }
}

/** Runs often, as `findActivity` does. */
async function readPage<Row extends object>(
  db: Database,
  page: RecordPage<ListFilters>,
  columns: string,
): Promise<Row[]> {
  const { text, values } = recordPageSql(`select ${columns} from activities as activity`, page, conditionsOf)
  // Most lists have no filter. Each prepared text takes memory on each connection.
  const { observed: _observed, ...restricting } = page.filters
  const isFiltered = Object.values(restricting).some((value) => value !== undefined && value !== false)
  return isFiltered ? (await db.query<Row>(text, values)).rows : readPrepared<Row>(db, ['activities'], text, values)
}

function conditionsOf(filters: ListFilters, bind: SqlParams): string[] {
  const { status, risk, actor, branch, has_pr, draft_pr_only, source, authorId, issue, observed } = filters
  const conditions = [statusCondition(status), observed ? notCovered : `source = 'recorded'`]
  if (source !== undefined) conditions.push(`source = any(${bind(source)})`)
  if (authorId !== undefined) conditions.push(`author_id = ${bind(authorId)}`)
  if (risk !== undefined) conditions.push(`risk = ${bind(risk)}`)
  if (actor !== undefined) conditions.push(`actor = ${bind(actor)}`)
  if (branch !== undefined) conditions.push(`branch = ${bind(branch)}`)
  if (has_pr !== undefined) conditions.push(`pr_url is ${has_pr ? 'not null' : 'null'}`)
  if (draft_pr_only) conditions.push('draft_pr')
  if (issue !== undefined) conditions.push(namesIssue(bind(issue), observed))
  return conditions
}
