import type { Database } from '../db/database.ts'
import { readPrepared } from '../db/prepared.ts'
import { sqlParams } from '../db/sql-params.ts'
import { activityIndex, candidates, MEET, rowsOf, SAME_FILE, type Verdict } from './candidate-sql.ts'
import { type LiveOf, lists } from './compared-activity.ts'
import type { ReadActivities } from './described-collisions.ts'
import type { IndexLookups } from './index-lookups.ts'
import { activitiesIn, type KnownActivity, type RowVersion, versionColumn } from './known-activities.ts'
import { type ComparedNotable, comparedNotables, notablePagesSql } from './notable-store.ts'
import { type BranchInfo, type RelationshipOf, relationshipTo } from './relationship.ts'
import { type Closeness, graveRisks } from './severity.ts'
import { liveStack, type StackedActivity, stackPagesSql, withoutDefaultBranch } from './stack-store.ts'

/** An activity that is not read: the index tells that its paths meet the proposal's, and whether both name the same file. */
export interface MatchedActivity extends RowVersion, BranchInfo {
  meets: Exclude<Closeness, 'areas'>
  is_grave: boolean
}

export interface MergedActivity {
  id: string
  title: string
  actor: string
  branch: string | null
  pr_url: string | null
  ended_at: Date
  areas: string[]
  paths: string[]
}

/** What a check needs of a repository. */
export interface LoadedCandidates {
  /** Live work whose scope may overlap; which does is decided exactly afterwards. */
  candidates: KnownActivity[]
  /** Live work whose paths do overlap; it is read where it is told of. */
  certain: MatchedActivity[]
  readActivities: ReadActivities
  /** Merged work, likewise, newest first: a page of it. */
  merged: MergedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: ComparedNotable[]
  /** Live work that may be the caller's own or stacked. */
  stack: StackedActivity[]
}

/** Merged work that ended after `endedAfter`: up to `count`, newest first, after the one given. */
export interface MergedPage {
  endedAfter: Date
  after?: MergedActivity | undefined
  count: number
}

const isMerged = `(status = 'merged' or archived_reason = 'merged')`
const isGrave = `(blocking or risk in (${graveRisks.map((risk) => `'${risk}'`)})) as is_grave`
const newestFirst = 'order by ended_at desc, id desc'
const mergedColumns = `id, title, actor, branch, pr_url, ended_at, ${lists}`

/** A live activity that the index finds. Its branches are there only where work is linked to the proposal's. */
interface FoundActivity extends RowVersion, BranchInfo {
  verdict: Verdict
  is_grave: boolean
}

interface Found {
  live: FoundActivity[]
  merged: RowVersion[]
  /** The sizes of the tables where there may be a stack, and where there are notables. */
  stackPages: number[] | null
  notablePages: number[] | null
}

type Row =
  | (FoundActivity & { kind: 'live' })
  | (RowVersion & { kind: 'merged' })
  | { kind: 'facts'; stack_pages: number[] | null; notable_pages: number[] | null }

/** Where the proposal is: its branches, and the one of the repository that never links. */
export interface ProposalPlace extends BranchInfo {
  defaultBranch: string
}

/** Everything that a check compares with: what the index finds, and of that only what has to be read. */
export async function loadCandidates(
  db: Pick<Database, 'pool'>,
  of: LiveOf,
  place: ProposalPlace,
  probes: IndexLookups,
  page: MergedPage,
): Promise<LoadedCandidates> {
  const placed = withoutDefaultBranch(place, place.defaultBranch)
  const found = await findActivities(db, of, placed, probes, page)
  const { stackPages, notablePages } = found
  const { defaultBranch } = place
  const stack = stackPages ? await liveStack(db, of, placed, { defaultBranch, pages: stackPages }) : []
  const notables = notablePages ? await comparedNotables(db, of, probes, notablePages) : []
  const readActivities = (versions: readonly RowVersion[]) => activitiesIn(db.pool, of.repositoryId, versions)
  const { certain, unread } = sorted(found, relationshipTo(place, stack, defaultBranch), probes)
  const merged = new Set(found.merged.map(({ id }) => id))
  const world: LoadedCandidates = { candidates: [], certain, readActivities, merged: [], notables, stack }
  for (const activity of await readActivities([...unread, ...found.merged])) {
    const { ended_at } = activity
    if (ended_at === null) world.candidates.push(activity)
    // What was live for the statement and has ended since is neither.
    else if (merged.has(activity.id)) world.merged.push({ ...activity, ended_at })
  }
  return world
}

/** Tells what the index decides from what has to be read, without own and stacked work. */
function sorted({ live }: Found, relationshipOf: RelationshipOf, { filesAreKeyed }: IndexLookups) {
  const certain: MatchedActivity[] = []
  const unread: RowVersion[] = []
  for (const { verdict, ...activity } of live) {
    if (relationshipOf(activity)) continue
    if (verdict === SAME_FILE || (verdict === MEET && filesAreKeyed))
      certain.push({ ...activity, meets: verdict === SAME_FILE ? 'same file' : 'paths' })
    else unread.push(activity)
  }
  return { certain, unread }
}

/**
 * The activities that the index finds, and what else there is to load, in one statement: each more would cost the service as
 * much as reading ten rows. Of activities it names the versions, which are known as a rule.
 */
async function findActivities(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  placed: BranchInfo,
  probes: IndexLookups,
  { endedAfter, count }: MergedPage,
): Promise<Found> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const live = `ended_at is null and expires_at > ${at} and id is distinct from ${bind(self)}`
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)}`
  const whereLinked = (column: string) =>
    `case when (select stack_pages from facts) is not null then ${column} end as ${column}`
  const found = rowsOf(
    'activities',
    candidates(probes, bind, activityIndex),
    `id, ended_at, ${isGrave}, ${versionColumn}, ${whereLinked('branch')}, ${whereLinked('base_branch')}`,
    `${live} or ${merged}`,
  )
  const rows = await readPrepared<Row>(
    pool,
    ['activities', 'scope_keys'],
    `with facts as materialized (
       select ${stackPagesSql(bind(placed.branch), bind(placed.base_branch))} as stack_pages, ${notablePagesSql} as notable_pages),
     found as materialized (${found})
     select 'live' as kind, id, version, verdict, is_grave, branch, base_branch, null::int[] as stack_pages, null::int[] as notable_pages
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

/** A further page of the merged ones among the candidates. */
export async function moreMerged(
  { pool }: Pick<Database, 'pool'>,
  repositoryId: bigint,
  probes: IndexLookups,
  { endedAfter, after, count }: MergedPage,
): Promise<MergedActivity[]> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const older = after ? `and (ended_at, id) < (${bind(after.ended_at)}, ${bind(after.id)})` : ''
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const { rows } = await pool.query<MergedActivity>(
    `${rowsOf('activities', candidates(probes, bind, activityIndex), mergedColumns, merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
