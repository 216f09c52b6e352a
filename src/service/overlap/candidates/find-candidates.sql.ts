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

/** A live activity that the index finds. Its branches are null unless a proposal may be part of a stack. */
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

/**
 * The only row of the statement. Found activities are lines of a text: as rows of their own they took the service
 * much longer to read.
 */
interface FoundRow extends Facts {
  /** `pushLive` reads it. An activity that several proposals find is one line. Null: none. */
  live: string | null
  /** The place of the proposal, the id and the version of each, in order. Null: none. */
  merged: string | null
}

const [GRAVE, OBSERVED, CHANGES] = [1, 2, 4]
const flagsSql = `${GRAVE} * (${isGraveSql})::int + ${OBSERVED} * (source <> 'recorded')::int + ${CHANGES} * has_changes::int`
type Branches = readonly [branch: string | null, base: string | null]
const noBranches: Branches = [null, null]

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
  const byIndex = selectByIndex(
    proposals.map(({ lookups }) => lookups),
    bind,
    activityIndex,
  )
  const rows = rowsOf(
    'activities',
    byIndex,
    `id, ended_at, ${versionColumn}, branch, base_branch, ${flagsSql} as flags`,
    `(source = 'recorded' or ${bind(seesObserved)}) and (${live} or ${merged})`,
  )
  const mergedRows = (page: MergedPage) => `
     select nth, id, version, ended_at, closes
       from (select *, row_number() over (partition by nth ${closingFirst}) as place
               from (select ${findsSql.nth('value')} as nth, id, version, ended_at,
                            bool_or(${findsSql.byIssue('value')}) and ended_at > ${bind(page.closedAfter)} as closes
                       from found cross join lateral ${findsSql.values('finds')} as value
                      where ended_at is not null group by 1, id, version, ended_at) as ended) as merged
      where place <= ${bind(page.count)}`
  const text = `with facts as materialized (
       select ${hasStackSql(proposals, bind)} as has_stack, ${hasNotablesSql} as has_notables, ${hasPullsSql} as has_pulls),
     found as materialized (${rows})
     select facts.*, case when has_pulls then ${putAsideSql} end as put_aside, ${epochSql('activities')} as epoch,
            (select string_agg(concat_ws(' ', finds, id, version, flags, case when has_stack then json_build_array(branch, base_branch) end), E'\\n')
               from found where ended_at is null) as live,
            ${page ? `(select string_agg(concat_ws(' ', nth, id, version), E'\\n' ${closingFirst}) from (${mergedRows(page)}) as page)` : 'null'} as merged
       from facts`
  const [row] = await readPrepared<FoundRow>(db, ['activities', 'scope_keys'], text, values)
  if (!row) throw new Error('The statement returns one row.')
  return foundIn(row, proposals)
}

function foundIn(
  { live, merged, ...facts }: FoundRow,
  proposals: readonly LookedUp[],
): { found: Found[]; facts: Facts } {
  const found = proposals.map((): Found => ({ live: [], merged: [] }))
  for (const line of live?.split('\n') ?? []) pushLive(found, proposals, line)
  for (const line of merged?.split('\n') ?? []) {
    const [nth, id = '', version = ''] = line.split(' ')
    found[Number(nth)]?.merged.push({ id, version })
  }
  return { found, facts }
}

/** Reads a line of live work: how the index found it, id, version, flags, and where they matter, its branches as JSON. */
function pushLive(found: readonly Found[], proposals: readonly LookedUp[], line: string): void {
  const [finds = '', id = '', version = '', flags = '', ...rest] = line.split(' ')
  const bits = Number(flags)
  const [is_grave, is_observed, has_changes] = [(bits & GRAVE) > 0, (bits & OBSERVED) > 0, (bits & CHANGES) > 0]
  const [branch, base_branch]: Branches = rest.length > 0 ? JSON.parse(rest.join(' ')) : noBranches
  for (const { nth, result, by_issue } of parseFinds(finds))
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
