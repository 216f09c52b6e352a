import type { Database } from '../db/client.ts'
import { readPrepared } from '../db/prepared.ts'
import { binder, candidateIds } from './candidate-sql.ts'
import type { Probes } from './probes.ts'
import type { Placed } from './relationship.ts'
import { type ComparedActivity, comparedColumns, isLinked, type LiveOf } from './stack-store.ts'

export interface ComparedNotable {
  id: string
  title: string
  importance: string
  blocking: boolean
  areas: string[]
  paths: string[]
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
export interface LoadedWorld {
  /** Live work whose scope may overlap; which does is decided exactly afterwards. */
  candidates: ComparedActivity[]
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
const newestFirst = 'order by ended_at desc, id desc'
const mergedColumns = 'id, title, actor, branch, pr_url, ended_at, areas, paths'

/** Columns of the activities among the candidates, each by its primary key. */
function activitiesOf(candidates: string, columns: string, condition: string): string {
  return `select activity.* from (${candidates}) as candidate cross join lateral (
      select ${columns} from activities
       where repository_id = $1 and id = candidate.activity_id and (${condition}) offset 0) as activity`
}

function rowsOf(columns: string, source: string): string {
  return `(select coalesce(json_agg(found), '[]') from (select ${columns} from ${source}) as found)`
}

interface Row extends Omit<LoadedWorld, 'merged'> {
  merged: (Omit<MergedActivity, 'ended_at'> & { ended_at: string })[]
}

/**
 * Everything that a check compares with, in one statement: each more costs the service as much as reading ten rows. The rows
 * come as JSON, which is read natively.
 */
export async function loadWorld(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  placed: Placed,
  probes: Probes,
  { endedAfter, count }: MergedPage,
): Promise<LoadedWorld> {
  const values: unknown[] = [repositoryId]
  const bind = binder(values)
  const at = bind(now)
  const live = `ended_at is null and expires_at > ${at} and id is distinct from ${bind(self)}`
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)}`
  const columns = `${comparedColumns}, pr_url, ended_at`
  const page = `(select * from found where ended_at is not null ${newestFirst} limit ${bind(count)}) as page`
  const notables = `notables where repository_id = $1 and ended_at is null and expires_at > ${at}
                       and (applies_until is null or applies_until > ${at})`
  const [row] = await readPrepared<Row>(
    pool,
    ['activities', 'scope_keys'],
    `with found as materialized (${activitiesOf(candidateIds(probes, bind), columns, `${live} or ${merged}`)})
     select ${rowsOf(comparedColumns, 'found where ended_at is null')} as candidates,
            ${rowsOf(mergedColumns, page)} as merged,
            ${rowsOf('id, title, importance, blocking, areas, paths', notables)} as notables,
            ${isLinked(bind(placed.branch), bind(placed.base_branch))} as "isLinked"`,
    values,
  )
  if (!row) throw new Error('a select without a source gives one row')
  return { ...row, merged: row.merged.map((one) => ({ ...one, ended_at: new Date(one.ended_at) })) }
}

/** A further page of the merged ones among the candidates. */
export async function moreMerged(
  { pool }: Pick<Database, 'pool'>,
  repositoryId: bigint,
  probes: Probes,
  { endedAfter, after, count }: MergedPage,
): Promise<MergedActivity[]> {
  const values: unknown[] = [repositoryId]
  const bind = binder(values)
  const older = after ? `and (ended_at, id) < (${bind(after.ended_at)}, ${bind(after.id)})` : ''
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const { rows } = await pool.query<MergedActivity>(
    `${activitiesOf(candidateIds(probes, bind), mergedColumns, merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
