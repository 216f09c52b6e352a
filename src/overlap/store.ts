import type { Database } from '../db/client.ts'

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

/** The live activities of a repository, all but `self`. */
export async function liveActivities(
  { pool }: Database,
  { repositoryId, now, self }: { repositoryId: bigint; now: Date; self: string | undefined },
): Promise<ComparedActivity[]> {
  const { rows } = await pool.query<ComparedActivity>(
    `select id, title, actor, agent, branch, base_branch, risk, blocking, areas, paths
       from activities
      where repository_id = $1 and ended_at is null and expires_at > $2 and id is distinct from $3`,
    [repositoryId, now, self],
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

/** Work that ended by a merge after `endedAfter`, newest first. */
export async function mergedActivities(
  { pool }: Database,
  { repositoryId, endedAfter }: { repositoryId: bigint; endedAfter: Date },
): Promise<MergedActivity[]> {
  const { rows } = await pool.query<MergedActivity>(
    `select id, title, actor, branch, pr_url, ended_at, areas, paths
       from activities
      where repository_id = $1 and (status = 'merged' or archived_reason = 'merged') and ended_at > $2
      order by ended_at desc, id desc`,
    [repositoryId, endedAfter],
  )
  return rows
}
