import type { Database } from '../db/client.ts'
import type { Placed } from './relationship.ts'

/** Lists come as JSON, which is read natively; reading PostgreSQL's own notation costs several times as much. */
export const lists = 'array_to_json(areas) as areas, array_to_json(paths) as paths'
export const liveColumns = 'id, title, actor, agent, status, branch, base_branch, risk, blocking'
const columns = `${liveColumns}, ${lists}`

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
     select ${columns} from activities where repository_id = $1 and id in (
       select id from activities where ${live} and branch in (select name from up union all select $4 where $4 <> $6)
       union
       select id from activities where ${live} and base_branch in (select name from down))`,
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
