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
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  { branch, base_branch }: Placed,
  defaultBranch: string,
): Promise<ComparedActivity[]> {
  const own = branch === defaultBranch ? null : branch
  const base = base_branch === defaultBranch ? null : base_branch
  if (!(await hasNeighbours({ pool }, repositoryId, own, base))) return []
  const live = 'activities.repository_id = $1 and ended_at is null and expires_at > $2 and id is distinct from $3'
  const { rows } = await pool.query<ComparedActivity>(
    `with recursive
       up(name) as (
         select $5::text where $5::text is not null
         union
         select base_branch from up join activities on ${live} and branch = up.name where base_branch <> $6),
       down(name) as (
         select $4::text where $4::text is not null
         union
         select branch from down join activities on ${live} and base_branch = down.name where branch <> $6)
     select ${columns} from activities where repository_id = $1 and id in (
       select id from activities where ${live} and branch in (select name from up union all select $4::text)
       union
       select id from activities where ${live} and base_branch in (select name from down))`,
    [repositoryId, now, self, own, base, defaultBranch],
  )
  return rows
}

/** Whether any work is on these branches or based on the first: a stack begins there. Most have none, and this is cheap. */
async function hasNeighbours(
  { pool }: Pick<Database, 'pool'>,
  repositoryId: bigint,
  own: string | null,
  base: string | null,
): Promise<boolean> {
  if (own === null && base === null) return false
  const open = 'select from activities where repository_id = $1 and ended_at is null'
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (${open} and branch in ($2, $3)) or exists (${open} and base_branch = $2) as found`,
    [repositoryId, own, base],
  )
  return rows[0]?.found === true
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
