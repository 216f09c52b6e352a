import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
import type { IndexResult } from '../../../core/rules/candidates/index-result.ts'
import type { LiveFilter, PutAside, RowVersion } from '../../../core/rules/candidates/rows.ts'
import type { BranchInfo } from '../../../core/rules/relationship/relationship.ts'
import { isGraveSql } from '../../../core/rules/severity.ts'
import type { Database } from '../../db/database.ts'
import { epochSql } from '../../db/sql/epoch.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import { sqlParams } from '../../db/sql/sql-params.ts'
import { versionColumn } from './activity-cache.sql.ts'
import { activityIndex, findsSql, parseFinds, rowsOf, selectByIndex } from './find-by-index.sql.ts'
import { hasNotablesSql } from './load-notables.sql.ts'
import { hasStackSql } from './stack.sql.ts'

/**
 * A page of merged work: up to `count` activities that ended after `endedAfter`, and that come after the activity `after`. First
 * those that name an issue of the proposal and ended after `closedAfter`, then the others, each newest first.
 */
export interface MergedPage {
  endedAfter: Date
  closedAfter: Date
  after?: { id: string; ended_at: Date; closes: boolean } | undefined
  count: number
}

/** A proposal as it is looked up. Its branches are without the default branch. */
export interface LookedUp extends BranchInfo {
  /** The proposal's own activity, which is not found. */
  self: string | undefined
  lookups: IndexLookups
}

/** A live activity that the index finds. Its branches are selected only if a proposal may be part of a stack. */
export interface FoundCandidate extends RowVersion, BranchInfo {
  result: IndexResult
  /** Whether it names an issue of the proposal. */
  by_issue: boolean
  is_grave: boolean
  /** Whether nobody recorded it. */
  is_observed: boolean
  has_changes: boolean
}

/** What is found for one proposal. */
export interface Found {
  live: FoundCandidate[]
  merged: RowVersion[]
}

/** Facts about the repository, in addition to the activities. */
export interface Facts {
  /** Whether there may be work on the branches of a proposal, or based on them. */
  has_stack: boolean
  /** Whether there are active notables. */
  has_notables: boolean
  /** Whether an open pull request or a pushed branch is known. */
  has_pulls: boolean
  put_aside: PutAside | null
  /** Row versions of two epochs cannot be compared. */
  epoch: string
}

/** A row of the statement. `nth` is the place of the proposal. An activity that several proposals find is one row. */
type FoundRow =
  | (Omit<FoundCandidate, 'result' | 'by_issue'> & { kind: 'live'; finds: string })
  | (RowVersion & { kind: 'merged'; nth: number })
  | { kind: 'facts'; facts: Facts }

const isMerged = `(status = 'merged' or archived_reason = 'merged')`
const closingFirst = 'order by closes desc, ended_at desc, id desc'

/** One step in an index, also where most of the table is of this repository. */
const hasPullsSql = `coalesce((
  select true from pull_requests where repository_id = $1 and state = 'open' and head_ref >= '' order by head_ref limit 1),
  (select true from pushed_branches where repository_id = $1 order by branch limit 1), false)`

/** A pull request is put aside until its next push. An empty login is not known. */
const putAsideSql = `(select json_build_object(
    'count', count(*), 'by', coalesce(json_agg(distinct nullif(put_aside_by, '')), '[]'::json))
  from pull_requests where repository_id = $1 and state = 'open' and put_aside_by is not null
    and activity_id is null and put_aside_head_sha = head_sha)`

/**
 * Finds activities for each of some proposals by index, and a page of merged work if `page` is given. Says whether there are
 * stacks and notables. Selects versions only, since most activities are cached. One statement: another round trip costs as much as
 * reading ten rows.
 */
export async function findCandidates(
  db: Pick<Database, 'pool' | 'query'>,
  { repositoryId, now, seesObserved }: LiveFilter,
  proposals: readonly LookedUp[],
  page: MergedPage | undefined,
): Promise<{ found: Found[]; facts: Facts }> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const live = `ended_at is null and expires_at > ${bind(now)}`
  const merged = page ? `${isMerged} and ended_at > ${bind(page.endedAfter)}` : 'false'
  const ifStack = (column: string) => `case when (select has_stack from facts) then ${column} end as ${column}`
  const byIndex = selectByIndex(
    proposals.map(({ lookups }) => lookups),
    bind,
    activityIndex,
  )
  const rows = rowsOf(
    'activities',
    byIndex,
    `id, ended_at, ${isGraveSql} as is_grave, ${versionColumn}, source <> 'recorded' as is_observed, has_changes, ${ifStack('branch')}, ${ifStack('base_branch')}`,
    `(source = 'recorded' or ${bind(seesObserved)}) and (${live} or ${merged})`,
  )
  const mergedRows = `
     union all
     (select 'merged', nth, null, id, version, null, null, null, null, null, null::json
        from (select *, row_number() over (partition by nth ${closingFirst}) as place
                from (select ${findsSql.nth('value')} as nth, id, version, ended_at,
                             bool_or(${findsSql.byIssue('value')}) and ended_at > ${page ? bind(page.closedAfter) : 'null'} as closes
                        from found cross join lateral ${findsSql.values('finds')} as value
                       where ended_at is not null group by 1, id, version, ended_at) as ended) as merged
       where place <= ${page ? bind(page.count) : 0} ${closingFirst})`
  const text = `with facts as materialized (
       select ${hasStackSql(proposals, bind)} as has_stack, ${hasNotablesSql} as has_notables, ${hasPullsSql} as has_pulls),
     found as materialized (${rows})
     select 'live' as kind, null::int as nth, finds, id, version, is_grave, is_observed, has_changes, branch, base_branch, null::json as facts
       from found where ended_at is null ${page ? mergedRows : ''}
     union all
     select 'facts', null, null, null, null, null, null, null, null, null, json_build_object(
         'has_stack', has_stack, 'has_notables', has_notables, 'has_pulls', has_pulls,
         'put_aside', case when has_pulls then ${putAsideSql} end, 'epoch', ${epochSql('activities')})
       from facts`
  return foundIn(await readPrepared<FoundRow>(db, ['activities', 'scope_keys'], text, values), proposals)
}

function foundIn(rows: readonly FoundRow[], proposals: readonly LookedUp[]): { found: Found[]; facts: Facts } {
  const found = proposals.map((): Found => ({ live: [], merged: [] }))
  let facts: Facts | undefined
  for (const row of rows) {
    if (row.kind === 'facts') facts = row.facts
    else if (row.kind === 'merged') found[row.nth]?.merged.push(row)
    else pushLive(found, proposals, row)
  }
  if (!facts) throw new Error('The statement returns the facts about the repository.')
  return { found, facts }
}

/** The fields are named, since `...rest` costs V8 most of a microsecond per row. */
function pushLive(found: readonly Found[], proposals: readonly LookedUp[], row: FoundRow & { kind: 'live' }): void {
  const { id, version, is_grave, is_observed, has_changes, branch, base_branch } = row
  for (const { nth, result, by_issue } of parseFinds(row.finds))
    if (id !== proposals[nth]?.self)
      found[nth]?.live.push({ id, version, is_grave, is_observed, has_changes, branch, base_branch, result, by_issue })
}

/** Finds a further page of merged work. */
export async function findMergedWork(
  db: Pick<Database, 'query'>,
  { repositoryId, seesObserved }: Pick<LiveFilter, 'repositoryId' | 'seesObserved'>,
  lookups: IndexLookups,
  { endedAfter, closedAfter, after, count }: MergedPage,
): Promise<RowVersion[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const namesIssue = `exists (select from ${findsSql.values('candidate.finds')} as value where ${findsSql.byIssue('value')})`
  const closes = `(${namesIssue} and ended_at > ${bind(closedAfter)})`
  const older = after
    ? `and (${closes}, ended_at, id) < (${bind(after.closes)}::boolean, ${bind(after.ended_at)}, ${bind(after.id)})`
    : ''
  const merged = `(source = 'recorded' or ${bind(seesObserved)}) and ${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const columns = `id, ended_at, ${versionColumn}, ${closes} as closes`
  const { rows } = await db.query<RowVersion>(
    `${rowsOf('activities', selectByIndex([lookups], bind, activityIndex), columns, merged)} ${closingFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
