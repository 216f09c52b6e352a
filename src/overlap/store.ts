import type { Database } from '../db/client.ts'
import type { Probes } from './probes.ts'
import type { Placed } from './relationship.ts'

const columns = 'id, title, actor, agent, status, branch, base_branch, risk, blocking, areas, paths'

export interface ComparedActivity {
  id: string
  title: string
  actor: string
  agent: string | null
  status: string
  branch: string | null
  base_branch: string | null
  risk: string
  blocking: boolean
  areas: string[]
  paths: string[]
}

/** Whose activities: of this repository, live at `now`, all but `self`. */
export interface LiveOf {
  repositoryId: bigint
  now: Date
  self: string | undefined
}

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
function candidates(states: 'live' | 'live and ended', probes: Probes, bind: Bind): string {
  const entries = (kind: 'path' | 'area', condition: string) =>
    `select activity_id, tail from scope_keys
      where repository_id = $1 and state = any('${states === 'live' ? '{live}' : '{live,ended}'}') and kind = '${kind}' and ${condition} offset 0`
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

/** Columns of the activities among the candidates, each by its primary key. */
function activitiesOf(candidate: string, columns: string, condition: string): string {
  return `with candidate as (${candidate})
    select activity.* from candidate cross join lateral (
      select ${columns} from activities
       where repository_id = $1 and id = candidate.activity_id and ${condition} offset 0) as activity`
}

/** The live activities whose scopes may overlap what the probes were made of; which do is decided exactly afterwards. */
export async function liveCandidates(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  probes: Probes,
): Promise<ComparedActivity[]> {
  if (isEmpty(probes)) return []
  const values: unknown[] = [repositoryId]
  const bind = binder(values)
  const live = `ended_at is null and expires_at > ${bind(now)} and id is distinct from ${bind(self)}`
  const { rows } = await pool.query<ComparedActivity>(
    activitiesOf(candidates('live', probes, bind), columns, live),
    values,
  )
  return rows
}

/**
 * The live activities that may be the caller's own or stacked: those on the branches that its base leads up to, and those
 * on the branches that lead to its own. The default branch never links.
 */
export async function liveStack(
  { pool }: Database,
  { repositoryId, now, self }: LiveOf,
  { branch, base_branch }: Placed,
  defaultBranch: string,
): Promise<ComparedActivity[]> {
  if (branch === null && base_branch === null) return []
  const live = 'activities.repository_id = $1 and ended_at is null and expires_at > $2 and id is distinct from $3'
  const { rows } = await pool.query<ComparedActivity>(
    `with recursive
       up(name) as (
         select $5::text where $5::text <> $6
         union
         select base_branch from up join activities on ${live} and branch = up.name where base_branch <> $6),
       down(name) as (
         select $4::text where $4::text <> $6
         union
         select branch from down join activities on ${live} and base_branch = down.name where branch <> $6)
     select ${columns} from activities where ${live} and branch in (select name from up union all select $4 where $4 <> $6)
     union
     select ${columns} from activities where ${live} and base_branch in (select name from down)`,
    [repositoryId, now, self, branch, base_branch, defaultBranch],
  )
  return rows
}

export interface ComparedNotable {
  id: string
  title: string
  importance: string
  blocking: boolean
  areas: string[]
  paths: string[]
}

/** The active notables of a repository whose `applies_until` has not passed. */
export async function activeNotables(
  { pool }: Database,
  { repositoryId, now }: { repositoryId: bigint; now: Date },
): Promise<ComparedNotable[]> {
  const { rows } = await pool.query<ComparedNotable>(
    `select id, title, importance, blocking, areas, paths
       from notables
      where repository_id = $1 and ended_at is null and expires_at > $2 and (applies_until is null or applies_until > $2)`,
    [repositoryId, now],
  )
  return rows
}

const mergedColumns = 'id, title, actor, branch, pr_url, ended_at, areas, paths'

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

/** Up to `count` candidates that ended by a merge after `endedAfter`, newest first, after the one given. */
export async function mergedCandidates(
  { pool }: Database,
  probes: Probes,
  page: { repositoryId: bigint; endedAfter: Date; after: MergedActivity | undefined; count: number },
): Promise<MergedActivity[]> {
  if (isEmpty(probes)) return []
  const values: unknown[] = [page.repositoryId]
  const bind = binder(values)
  const merged = `(status = 'merged' or archived_reason = 'merged') and ended_at > ${bind(page.endedAfter)}`
  const older = page.after ? `and (ended_at, id) < (${bind(page.after.ended_at)}, ${bind(page.after.id)})` : ''
  const found = activitiesOf(candidates('live and ended', probes, bind), mergedColumns, `${merged} ${older}`)
  const { rows } = await pool.query<MergedActivity>(
    `${found} order by ended_at desc, id desc limit ${bind(page.count)}`,
    values,
  )
  return rows
}
