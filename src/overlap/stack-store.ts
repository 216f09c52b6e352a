import type { Database } from '../db/database.ts'
import { type ComparedActivity, comparedColumns, type LiveOf } from './compared-activity.ts'
import type { BranchInfo } from './relationship.ts'

/** What links to other work: the default branch never does. */
export function withoutDefaultBranch({ branch, base_branch }: BranchInfo, defaultBranch: string): BranchInfo {
  return {
    branch: branch === defaultBranch ? null : branch,
    base_branch: base_branch === defaultBranch ? null : base_branch,
  }
}

/** A condition: any work of the repository `$1` on these branches or based on the first. A stack begins there; most have none. */
export function isLinked(branch: string, base: string): string {
  const open = 'select from activities where repository_id = $1 and ended_at is null'
  return `(exists (${open} and branch in (${branch}, ${base})) or exists (${open} and base_branch = ${branch}))`
}

/**
 * The live activities that may be the caller's own or stacked: those on the branches that its base leads up to, and those
 * on the branches that lead to its own.
 */
export async function liveStack(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  { branch, base_branch }: BranchInfo,
  defaultBranch: string,
): Promise<ComparedActivity[]> {
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
     select ${comparedColumns} from activities where repository_id = $1 and id in (
       select id from activities where ${live} and branch in (select name from up union all select $4::text)
       union
       select id from activities where ${live} and base_branch in (select name from down))`,
    [repositoryId, now, self, branch, base_branch, defaultBranch],
  )
  return rows
}
