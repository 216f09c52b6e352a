import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { readPrepared } from '../db/prepared.ts'
import { sqlParams } from '../db/sql-params.ts'
import { candidates, MEET, SAME_FILE, type Verdict } from './candidate-sql.ts'
import { type LiveOf, lists } from './compared-activity.ts'
import type { ReadActivities } from './described-collisions.ts'
import type { IndexLookups } from './index-lookups.ts'
import { activitiesIn, type KnownActivity, type RowVersion, versionColumn } from './known-activities.ts'
import type { BranchInfo } from './relationship.ts'
import { type Closeness, graveRisks } from './severity.ts'
import { isLinked } from './stack-store.ts'

export interface ComparedNotable {
  id: string
  title: string
  importance: string
  blocking: boolean
  areas: string[]
  paths: string[]
}

/** An activity that is not read: the index tells that its paths meet the proposal's, and whether both name the same file. */
export interface MatchedActivity extends RowVersion {
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
  /** The active notables whose `applies_until` has not passed. */
  notables: ComparedNotable[]
  /** Whether there is work on the proposal's branches or based on its own: only then is there a stack to load. */
  isLinked: boolean
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

/**
 * Columns of the activities among the candidates, each by its primary key. What a statement with an array is thought to
 * cost does not hang on its values, so that PostgreSQL keeps one plan for all repositories. One by one, since it may think
 * it cheaper to read a whole repository, and look for each row in the array.
 */
function activitiesOf(found: string, columns: string, condition: string): string {
  return `select candidate.verdict, activity.*
    from (select array_agg(activity_id) as ids, array_agg(verdict) as verdicts from (${found}) as found) as lists
      cross join lateral unnest(lists.ids, lists.verdicts) as candidate(id, verdict)
      cross join lateral (
        select ${columns} from activities where repository_id = $1 and id = candidate.id and (${condition}) offset 0) as activity`
}

/** An activity, live or merged; a notable; or that there is work to which the proposal is linked. */
type Row =
  | ({ verdict: Verdict; is_grave: boolean; merged: null; notable: null; linked: null } & RowVersion)
  | ({ merged: true; notable: null; linked: null } & RowVersion)
  | { notable: ComparedNotable; linked: null }
  | { notable: null; linked: true }

/**
 * Everything that a check compares with, in one statement: each more would cost the service as much as reading ten rows. Of
 * activities it names the versions, which are known as a rule.
 */
export async function loadCandidates(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  placed: BranchInfo,
  probes: IndexLookups,
  { endedAfter, count }: MergedPage,
): Promise<LoadedCandidates> {
  const values: unknown[] = [repositoryId]
  const bind = sqlParams(values)
  const at = bind(now)
  const live = `ended_at is null and expires_at > ${at} and id is distinct from ${bind(self)}`
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)}`
  const found = activitiesOf(
    candidates(probes, bind),
    `id, ended_at, ${isGrave}, ${versionColumn}`,
    `${live} or ${merged}`,
  )
  const rows = await readPrepared<Row>(
    pool,
    ['activities', 'scope_keys'],
    `with found as materialized (${found})
     select id, version, verdict, is_grave, null::boolean as merged, null::json as notable, null::boolean as linked
       from found where ended_at is null
     union all
     (select id, version, null, null, true, null, null from found where ended_at is not null ${newestFirst} limit ${bind(count)})
     union all
     select null, null, null, null, null, json_build_object(
         'id', id, 'title', title, 'importance', importance, 'blocking', blocking, 'areas', areas, 'paths', paths), null
       from notables
      where repository_id = $1 and ended_at is null and expires_at > ${at} and (applies_until is null or applies_until > ${at})
     union all
     select null, null, null, null, null, null, true where ${isLinked(bind(placed.branch), bind(placed.base_branch))}`,
    values,
  )
  return worldOf(pool, repositoryId, probes, rows)
}

async function worldOf(
  pool: pg.Pool,
  repositoryId: bigint,
  { filesAreKeyed }: IndexLookups,
  rows: readonly Row[],
): Promise<LoadedCandidates> {
  const readActivities = (versions: readonly RowVersion[]) => activitiesIn(pool, repositoryId, versions)
  const world: LoadedCandidates = {
    candidates: [],
    certain: [],
    readActivities,
    merged: [],
    notables: [],
    isLinked: false,
  }
  const versions: RowVersion[] = []
  const merged = new Set<string>()
  for (const row of rows) {
    if (row.linked) world.isLinked = true
    else if (row.notable) world.notables.push(row.notable)
    else if (row.merged) {
      versions.push(row)
      merged.add(row.id)
    } else if (row.verdict === SAME_FILE || (row.verdict === MEET && filesAreKeyed)) {
      const { id, version, is_grave } = row
      world.certain.push({ id, version, is_grave, meets: row.verdict === SAME_FILE ? 'same file' : 'paths' })
    } else versions.push(row)
  }
  for (const activity of await readActivities(versions)) {
    const { ended_at } = activity
    if (ended_at === null) world.candidates.push(activity)
    // What was live for the statement and has ended since is neither.
    else if (merged.has(activity.id)) world.merged.push({ ...activity, ended_at })
  }
  return world
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
    `${activitiesOf(candidates(probes, bind), mergedColumns, merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
