import type { Database } from '../../db/database.ts'
import { epochSql } from '../../db/epoch.ts'
import { readPrepared } from '../../db/prepared.ts'
import { sqlParams } from '../../db/sql-params.ts'
import type { BranchInfo } from '../relationship/relationship.ts'
import { isGraveSql } from '../severity.ts'
import { versionColumn } from './activity-cache.sql.ts'
import { activityIndex, lookupParams, pagesOf, rowsOf, selectByIndex } from './find-by-index.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import type { IndexResult } from './index-result.ts'
import { notablePagesSql } from './notables.sql.ts'
import type { LiveFilter, PutAside, RowVersion } from './rows.ts'
import { stackPagesSql } from './stack.sql.ts'

/** A page of merged work, newest first: up to `count` activities that ended after `endedAfter`, and that come after the activity `after`. */
export interface MergedPage {
  endedAfter: Date
  after?: { id: string; ended_at: Date } | undefined
  count: number
}

/** A live activity that the index finds. Its branches are selected only if the proposal may be part of a stack. */
export interface FoundCandidate extends RowVersion, BranchInfo {
  result: IndexResult
  is_grave: boolean
  /** Whether nobody recorded it. */
  is_observed: boolean
  has_changes: boolean
}

/** Facts about the repository, in addition to the activities. */
interface Facts {
  /** The size of the table of activities in pages; null if there is no stack. */
  stack_pages: number[] | null
  /** The sizes of the tables of notables in pages; null if the repository has no active notables. */
  notable_pages: number[] | null
  /** The sizes of the tables of activities and pull requests in pages; null if neither an open pull request nor a pushed branch is known. */
  pull_pages: number[] | null
  put_aside: PutAside | null
  /** Row versions of two epochs cannot be compared. */
  epoch: string
}

export interface Found extends Facts {
  live: FoundCandidate[]
  merged: RowVersion[]
}

export type FoundRow =
  | (FoundCandidate & { kind: 'live' })
  | (RowVersion & { kind: 'merged' })
  | ({ kind: 'facts' } & Facts)

const isMerged = `(status = 'merged' or archived_reason = 'merged')`
const newestFirst = 'order by ended_at desc, id desc'

/** One step in an index, also where most of the table is of this repository. */
const hasPullsSql = `coalesce((
  select true from pull_requests where repository_id = $1 and state = 'open' and head_ref >= '' order by head_ref limit 1),
  (select true from pushed_branches where repository_id = $1 order by branch limit 1), false)`

const pullPagesSql = `case when ${hasPullsSql}
  then array[${['activities', 'pull_requests'].map(pagesOf).join(', ')}] end`

/** A pull request is put aside until its next push. An empty login is not known. */
const putAsideSql = `(select json_build_object(
    'count', count(*), 'by', coalesce(json_agg(distinct nullif(put_aside_by, '')), '[]'::json))
  from pull_requests where repository_id = $1 and state = 'open' and put_aside_by is not null
    and activity_id is null and put_aside_head_sha = head_sha)`

/** The parameters of the statement, as SQL. */
interface FindParams {
  now: string
  seesObserved: string
  self: string
  branch: string
  base: string
  /** The statement that finds records by index. */
  byIndex: string
  endedAfter: string
  /** Up to how many merged activities it selects. */
  count: string
}

const noFacts =
  'null::int[] as stack_pages, null::int[] as notable_pages, null::int[] as pull_pages, null::json as put_aside, null as epoch'

/** Selects the found activities and the facts for the repository `$1`. Selects versions only, since most activities are cached. */
export function findActivitiesSql({ now, seesObserved, self, branch, base, byIndex, endedAfter, count }: FindParams) {
  const live = `ended_at is null and expires_at > ${now} and id is distinct from ${self}`
  const merged = `${isMerged} and ended_at > ${endedAfter}`
  const ifStack = (column: string) =>
    `case when (select stack_pages from facts) is not null then ${column} end as ${column}`
  const found = rowsOf(
    'activities',
    byIndex,
    `id, ended_at, ${isGraveSql} as is_grave, ${versionColumn}, source <> 'recorded' as is_observed, has_changes, ${ifStack('branch')}, ${ifStack('base_branch')}`,
    `(source = 'recorded' or ${seesObserved}) and (${live} or ${merged})`,
  )
  return `with facts as materialized (
       select ${stackPagesSql(branch, base)} as stack_pages, ${notablePagesSql} as notable_pages,
         ${pullPagesSql} as pull_pages),
     found as materialized (${found})
     select 'live' as kind, id, version, result, is_grave, is_observed, has_changes, branch, base_branch, ${noFacts}
       from found where ended_at is null
     union all
     (select 'merged', id, version, null, null, null, null, null, null, null, null, null, null, null
        from found where ended_at is not null ${newestFirst} limit ${count})
     union all
     select 'facts', null, null, null, null, null, null, null, null, stack_pages, notable_pages, pull_pages,
       case when pull_pages is not null then ${putAsideSql} end, ${epochSql('activities')}
       from facts`
}

export function toFound(rows: readonly FoundRow[]): Found {
  const facts = rows.find((row) => row.kind === 'facts')
  return {
    live: rows.filter((row) => row.kind === 'live'),
    merged: rows.filter((row) => row.kind === 'merged'),
    stack_pages: facts?.stack_pages ?? null,
    notable_pages: facts?.notable_pages ?? null,
    pull_pages: facts?.pull_pages ?? null,
    put_aside: facts?.put_aside?.count ? facts.put_aside : null,
    epoch: facts?.epoch ?? '',
  }
}

/**
 * Finds activities by index, and says whether there is a stack and whether there are notables. One statement: another round trip
 * costs as much as reading ten rows.
 */
export async function findCandidates(
  db: Pick<Database, 'pool' | 'query'>,
  { repositoryId, now, self, seesObserved }: LiveFilter,
  branches: BranchInfo,
  lookups: IndexLookups,
  { endedAfter, count }: MergedPage,
): Promise<Found> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const text = findActivitiesSql({
    now: bind(now),
    seesObserved: bind(seesObserved),
    self: bind(self),
    endedAfter: bind(endedAfter),
    byIndex: selectByIndex(lookups, lookupParams(bind), activityIndex),
    branch: bind(branches.branch),
    base: bind(branches.base_branch),
    count: bind(count),
  })
  return toFound(await readPrepared<FoundRow>(db, ['activities', 'scope_keys'], text, values))
}

/** Finds a further page of merged work. */
export async function findMergedWork(
  db: Pick<Database, 'query'>,
  { repositoryId, seesObserved }: Pick<LiveFilter, 'repositoryId' | 'seesObserved'>,
  lookups: IndexLookups,
  { endedAfter, after, count }: MergedPage,
): Promise<RowVersion[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const older = after ? `and (ended_at, id) < (${bind(after.ended_at)}, ${bind(after.id)})` : ''
  const merged = `(source = 'recorded' or ${bind(seesObserved)}) and ${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const columns = `id, ended_at, ${versionColumn}`
  const { rows } = await db.query<RowVersion>(
    `${rowsOf('activities', selectByIndex(lookups, lookupParams(bind), activityIndex), columns, merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
