import type { Database } from '../db/client.ts'
import type { Probes } from './probes.ts'
import type { Placed } from './relationship.ts'

const columns = 'id, title, actor, agent, branch, base_branch, risk, blocking, areas, paths'

export interface ComparedActivity {
  id: string
  title: string
  actor: string
  agent: string | null
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

/**
 * Activities that the index finds for the probes: index scans of one repository, never all of it unless a glob is open at
 * both ends. `offset 0` keeps the planner from joining another way round: its estimates know nothing of the probes, and
 * a scan of the whole table looks cheap to it.
 */
function candidates(states: 'live' | 'live and ended'): string {
  const entries = (kind: 'path' | 'area', condition: string) =>
    `select activity_id, tail from scope_keys
      where repository_id = $1 and state = any('${states === 'live' ? '{live}' : '{live,ended}'}') and kind = '${kind}' and ${condition} offset 0`
  const each = (probe: string, condition: string) =>
    `select found.activity_id from ${probe} cross join lateral (${entries('path', condition)}) as found`
  return `
    ${each('unnest($2::text[], $3::text[]) as probe(begins, ends)', 'key = probe.begins')} where ${endsAgree}
    union
    ${each('unnest($4::text[], $5::text[], $6::text[]) as probe(begins, after, ends)', 'key > probe.begins and key < probe.after')} where ${endsAgree}
    union
    ${each('unnest($7::text[]) as probe(ends)', 'tail = probe.ends')}
    union
    ${each('unnest($8::text[], $9::text[]) as probe(ends, after)', 'tail > probe.ends and tail < probe.after')}
    union
    select activity_id from (${entries('path', '$10')}) as everything
    union
    select activity_id from (${entries('area', 'key = any($11::text[])')}) as named`
}

/** Columns of the activities among the candidates, each by its primary key. */
function activitiesOf(states: 'live' | 'live and ended', columns: string, condition: string): string {
  return `with candidate as (${candidates(states)})
    select activity.* from candidate cross join lateral (
      select ${columns} from activities
       where repository_id = $1 and id = candidate.activity_id and ${condition} offset 0) as activity`
}

function values(repositoryId: bigint, { exact, below, tails, tailRanges, everything, areas }: Probes): unknown[] {
  return [
    repositoryId,
    exact.map(({ key }) => key),
    exact.map(({ tail }) => tail),
    below.map(({ key }) => key),
    below.map(({ after }) => after),
    below.map(({ tail }) => tail),
    tails,
    tailRanges.map(({ tail }) => tail),
    tailRanges.map(({ after }) => after),
    everything,
    areas,
  ]
}

/** The live activities whose scopes may overlap what the probes were made of; which do is decided exactly afterwards. */
export async function liveCandidates(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  probes: Probes,
): Promise<ComparedActivity[]> {
  const { rows } = await pool.query<ComparedActivity>(
    activitiesOf('live', columns, 'ended_at is null and expires_at > $12 and id is distinct from $13'),
    [...values(repositoryId, probes), now, self],
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
  const { rows } = await pool.query<MergedActivity>(
    `${activitiesOf(
      'live and ended',
      'id, title, actor, branch, pr_url, ended_at, areas, paths',
      `(status = 'merged' or archived_reason = 'merged') and ended_at > $12
       and ($13::timestamptz is null or (ended_at, id) < ($13, $14))`,
    )} order by ended_at desc, id desc limit $15`,
    [...values(page.repositoryId, probes), page.endedAfter, page.after?.ended_at, page.after?.id, page.count],
  )
  return rows
}
