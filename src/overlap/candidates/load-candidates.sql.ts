import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/prepared.ts'
import { sqlParams } from '../../db/sql-params.ts'
import { type BranchInfo, type RelationshipOf, relationshipTo } from '../relationship.ts'
import { graveRisks } from '../severity.ts'
import { loadActivities, versionColumn } from './activity-cache.sql.ts'
import { activityIndex, rowsOf, selectByIndex } from './find-by-index.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { closenessByIndex, type IndexResult } from './index-result.ts'
import { loadNotables, notablePagesSql } from './notables.sql.ts'
import {
  type ActivityMatchedByIndex,
  type ComparedNotable,
  type LiveFilter,
  type LoadActivities,
  type LoadedActivity,
  listColumns,
  type MergedActivity,
  type RowVersion,
  type StackedActivity,
} from './rows.ts'
import { loadStack, stackPagesSql, withoutDefaultBranch } from './stack.sql.ts'

/** What a check loads of a repository. */
interface LoadedRows {
  /** Live work whose scope may overlap. It still has to be compared. */
  candidates: LoadedActivity[]
  /** Live work whose paths overlap according to the index. It is loaded only to be described, by `loadActivities`. */
  matchedByIndex: ActivityMatchedByIndex[]
  loadActivities: LoadActivities
  /** The first page of merged work whose scope may overlap, newest first. */
  merged: MergedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: ComparedNotable[]
  /** Live work that may be the caller's own or stacked. */
  stack: StackedActivity[]
}

/** A page of merged work, newest first: up to `count` activities that ended after `endedAfter`, and that come after the activity `after`. */
interface MergedPage {
  endedAfter: Date
  after?: MergedActivity | undefined
  count: number
}

const isMerged = `(status = 'merged' or archived_reason = 'merged')`
const isGrave = `(blocking or risk in (${graveRisks.map((risk) => `'${risk}'`)})) as is_grave`
const newestFirst = 'order by ended_at desc, id desc'
const mergedColumns = `id, title, actor, branch, pr_url, ended_at, ${listColumns}`

/** A live activity that the index finds. Its branches are selected only if the proposal may be part of a stack. */
interface FoundActivity extends RowVersion, BranchInfo {
  result: IndexResult
  is_grave: boolean
}

interface Found {
  live: FoundActivity[]
  merged: RowVersion[]
  /** The size of the table of activities in pages; null if there is no stack. */
  stackPages: number[] | null
  /** The sizes of the tables of notables in pages; null if the repository has no active notables. */
  notablePages: number[] | null
}

type Row =
  | (FoundActivity & { kind: 'live' })
  | (RowVersion & { kind: 'merged' })
  | { kind: 'facts'; stack_pages: number[] | null; notable_pages: number[] | null }

/** Loads everything that a check compares with. Own and stacked work is only in `stack`. */
export async function loadCandidates(
  db: Pick<Database, 'pool' | 'query' | 'onConnectionLost'>,
  filter: LiveFilter,
  { defaultBranch, ...branches }: BranchInfo & { defaultBranch: string },
  lookups: IndexLookups,
  page: MergedPage,
): Promise<LoadedRows> {
  const linking = withoutDefaultBranch(branches, defaultBranch)
  const found = await findActivities(db, filter, linking, lookups, page)
  const { stackPages, notablePages } = found
  const stack = stackPages ? await loadStack(db, filter, linking, { defaultBranch, pages: stackPages }) : []
  const notables = notablePages ? await loadNotables(db, filter, lookups, notablePages) : []
  const load = (versions: readonly RowVersion[]) => loadActivities(db, filter.repositoryId, versions)
  const { matchedByIndex, undecided } = splitByResult(found, relationshipTo(branches, stack, defaultBranch), lookups)
  const mergedIds = new Set(found.merged.map(({ id }) => id))
  const [candidates, merged]: [LoadedActivity[], MergedActivity[]] = [[], []]
  for (const activity of await load([...undecided, ...found.merged])) {
    const { ended_at } = activity
    if (ended_at === null) candidates.push(activity)
    // An activity that ended between the two statements is neither live nor in the page of merged work.
    else if (mergedIds.has(activity.id)) merged.push({ ...activity, ended_at })
  }
  return { candidates, matchedByIndex, loadActivities: load, merged, notables, stack }
}

/** Separates what the index decides from what has to be loaded and compared. Leaves out own and stacked work. */
function splitByResult({ live }: Found, relationshipOf: RelationshipOf, { keysShowFiles }: IndexLookups) {
  const matchedByIndex: ActivityMatchedByIndex[] = []
  const undecided: RowVersion[] = []
  for (const { result, ...activity } of live) {
    if (relationshipOf(activity)) continue
    const closeness = closenessByIndex(result, keysShowFiles)
    if (closeness) matchedByIndex.push({ ...activity, closeness })
    else undecided.push(activity)
  }
  return { matchedByIndex, undecided }
}

/**
 * Finds activities by index, and says whether there is a stack and whether there are notables. One statement: another round trip
 * costs as much as reading ten rows. Selects versions only, since most activities are cached.
 */
async function findActivities(
  db: Pick<Database, 'pool' | 'query'>,
  { repositoryId, now, self }: LiveFilter,
  branches: BranchInfo,
  lookups: IndexLookups,
  { endedAfter, count }: MergedPage,
): Promise<Found> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const live = `ended_at is null and expires_at > ${at} and id is distinct from ${bind(self)}`
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)}`
  const ifStack = (column: string) =>
    `case when (select stack_pages from facts) is not null then ${column} end as ${column}`
  const found = rowsOf(
    'activities',
    selectByIndex(lookups, bind, activityIndex),
    `id, ended_at, ${isGrave}, ${versionColumn}, ${ifStack('branch')}, ${ifStack('base_branch')}`,
    `${live} or ${merged}`,
  )
  const rows = await readPrepared<Row>(
    db,
    ['activities', 'scope_keys'],
    `with facts as materialized (
       select ${stackPagesSql(bind(branches.branch), bind(branches.base_branch))} as stack_pages, ${notablePagesSql} as notable_pages),
     found as materialized (${found})
     select 'live' as kind, id, version, result, is_grave, branch, base_branch, null::int[] as stack_pages, null::int[] as notable_pages
       from found where ended_at is null
     union all
     (select 'merged', id, version, null, null, null, null, null, null
        from found where ended_at is not null ${newestFirst} limit ${bind(count)})
     union all
     select 'facts', null, null, null, null, null, null, stack_pages, notable_pages from facts`,
    values,
  )
  const facts = rows.find((row) => row.kind === 'facts')
  return {
    live: rows.filter((row) => row.kind === 'live'),
    merged: rows.filter((row) => row.kind === 'merged'),
    stackPages: facts?.stack_pages ?? null,
    notablePages: facts?.notable_pages ?? null,
  }
}

/** Loads a further page of merged work. */
export async function loadMerged(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  lookups: IndexLookups,
  { endedAfter, after, count }: MergedPage,
): Promise<MergedActivity[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const older = after ? `and (ended_at, id) < (${bind(after.ended_at)}, ${bind(after.id)})` : ''
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const { rows } = await db.query<MergedActivity>(
    `${rowsOf('activities', selectByIndex(lookups, bind, activityIndex), mergedColumns, merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
