import type { Database } from '../db/client.ts'
import type { Probes } from './probes.ts'
import { type ComparedActivity, type LiveOf, lists, liveColumns } from './store.ts'

const endsAgree = `(probe.ends = '' or found.tail = '' or starts_with(found.tail, probe.ends) or starts_with(probe.ends, found.tail))`

/** Numbers the values of a statement: `bind(value)` is its `$n`. */
function binder(values: unknown[]) {
  return (value: unknown) => `$${values.push(value)}`
}
type Bind = ReturnType<typeof binder>

/**
 * Activities that the index finds for the probes: index scans of one repository, never all of it unless a glob is open at
 * both ends. `offset 0` keeps the planner from joining another way round: its estimates know nothing of the probes, and
 * a scan of the whole table looks cheap to it. Only the parts that are needed are there, since planning costs too.
 */
function candidates(probes: Probes, bind: Bind): string {
  const entries = (kind: 'path' | 'area', condition: string) =>
    `select activity_id, tail from scope_keys
      where repository_id = $1 and state = any('{live,ended}') and kind = '${kind}' and ${condition} offset 0`
  const each = (probe: string, condition: string, where = '') =>
    `select found.activity_id from ${probe} cross join lateral (${entries('path', condition)}) as found ${where}`
  const texts = (values: string[]) => `${bind(values)}::text[]`
  const { exact, below, tails, tailRanges, everything, areas } = probes
  const parts: string[] = []
  if (everything) parts.push(`select activity_id from (${entries('path', 'true')}) as everything`)
  if (exact.length > 0) {
    const arrays = [exact.map(({ key }) => key), exact.map(({ tail }) => tail)].map(texts)
    parts.push(each(`unnest(${arrays}) as probe(begins, ends)`, 'key = probe.begins', `where ${endsAgree}`))
  }
  if (below.length > 0) {
    const arrays = [below.map(({ key }) => key), below.map(({ after }) => after), below.map(({ tail }) => tail)].map(
      texts,
    )
    const range = 'key > probe.begins and key < probe.after'
    parts.push(each(`unnest(${arrays}) as probe(begins, after, ends)`, range, `where ${endsAgree}`))
  }
  if (tails.length > 0) parts.push(each(`unnest(${texts(tails)}) as probe(ends)`, 'tail = probe.ends'))
  if (tailRanges.length > 0) {
    const arrays = [tailRanges.map(({ tail }) => tail), tailRanges.map(({ after }) => after)].map(texts)
    parts.push(each(`unnest(${arrays}) as probe(ends, after)`, 'tail > probe.ends and tail < probe.after'))
  }
  if (areas.length > 0)
    parts.push(`select activity_id from (${entries('area', `key = any(${texts(areas)})`)}) as named`)
  return `select distinct activity_id from (${parts.join(' union all ')}) as found`
}

/** Whether there is anything to look for: an empty scope overlaps nothing. */
function isEmpty({ exact, tails, everything, areas }: Probes): boolean {
  return exact.length === 0 && tails.length === 0 && !everything && areas.length === 0
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

export interface Candidates {
  live: ComparedActivity[]
  /** Newest first. */
  merged: MergedActivity[]
}

/** Merged work that ended after `endedAfter`: up to `count`, newest first, after the one given. */
export interface MergedPage {
  endedAfter: Date
  after?: MergedActivity | undefined
  count: number
}

const isMerged = `(status = 'merged' or archived_reason = 'merged')`
const newestFirst = 'order by ended_at desc, id desc'

/** Columns of the activities among the candidates, each by its primary key. */
function activitiesOf(candidate: string, condition: string): string {
  return `select activity.* from (${candidate}) as candidate cross join lateral (
      select ${liveColumns}, pr_url, ended_at, ${lists} from activities
       where repository_id = $1 and id = candidate.activity_id and (${condition}) offset 0) as activity`
}

/**
 * The live activities whose scopes may overlap what the probes were made of, and the first page of the merged ones; which do
 * is decided exactly afterwards. One statement for both: the index is read once.
 */
export async function findCandidates(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  probes: Probes,
  { endedAfter, count }: MergedPage,
): Promise<Candidates> {
  if (isEmpty(probes)) return { live: [], merged: [] }
  const values: unknown[] = [repositoryId]
  const bind = binder(values)
  const live = `ended_at is null and expires_at > ${bind(now)} and id is distinct from ${bind(self)}`
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)}`
  const { rows } = await pool.query<(ComparedActivity & { ended_at: null }) | MergedActivity>(
    `with found as materialized (${activitiesOf(candidates(probes, bind), `${live} or ${merged}`)})
     select * from found where ended_at is null
     union all (select * from found where ended_at is not null ${newestFirst} limit ${bind(count)})`,
    values,
  )
  const found: Candidates = { live: [], merged: [] }
  for (const row of rows) row.ended_at === null ? found.live.push(row) : found.merged.push(row)
  return found
}

/** A further page of the merged ones among the candidates. */
export async function moreMerged(
  { pool }: Database,
  repositoryId: bigint,
  probes: Probes,
  { endedAfter, after, count }: MergedPage,
): Promise<MergedActivity[]> {
  const values: unknown[] = [repositoryId]
  const bind = binder(values)
  const older = after ? `and (ended_at, id) < (${bind(after.ended_at)}, ${bind(after.id)})` : ''
  const merged = `${isMerged} and ended_at > ${bind(endedAfter)} ${older}`
  const { rows } = await pool.query<MergedActivity>(
    `${activitiesOf(candidates(probes, bind), merged)} ${newestFirst} limit ${bind(count)}`,
    values,
  )
  return rows
}
