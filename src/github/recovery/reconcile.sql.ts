import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { BranchWork } from './reconcile-rules.ts'

/** A repository that live work has a branch in, or that it links to a pull request of. */
export interface Target {
  id: bigint
  owner: string
  name: string
  /** When the oldest of that work was created. */
  oldestWork: Date
}

interface TargetRow {
  repository_id: bigint
  owner: string | null
  name: string | null
  oldest: Date
  pr_url: string | null
}

/**
 * Finds the repositories to compare, the longest waiting first: those of live recorded work and of live pushed branches. Reads all repositories on purpose, by the index of live
 * activities. An unknown repository has its name from a link.
 */
export async function findTargets({ prisma }: Database, now: Date): Promise<Target[]> {
  const rows = await prisma.$queryRaw<TargetRow[]>`
    with live as (
      select repository_id, branch, pr_repository_id, pr_url, created_at from activities
       where source in ('recorded', 'branch') and ended_at is null and expires_at > ${now}),
    concerned as (
      select repository_id, created_at, null as pr_url from live where branch is not null
      union all select pr_repository_id, created_at, pr_url from live where pr_repository_id is not null)
    select repository_id, known.owner, known.name, min(concerned.created_at) as oldest, max(concerned.pr_url) as pr_url
      from concerned left join repositories as known using (repository_id) left join reconciliations as last using (repository_id)
     group by repository_id, known.owner, known.name, last.reconciled_at
     order by last.reconciled_at nulls first, repository_id`
  return rows.flatMap(({ repository_id: id, owner, name, oldest: oldestWork, pr_url }) => {
    if (owner !== null && name !== null) return { id, owner, name, oldestWork }
    const [, linkedOwner, linkedName] = /^https:\/\/[^/]+\/([^/]+)\/([^/]+)\/pull\//.exec(pr_url ?? '') ?? []
    if (linkedOwner === undefined || linkedName === undefined) return []
    return { id, owner: linkedOwner, name: linkedName, oldestWork }
  })
}

/** Archives the recorded work that is still live and still on that branch. Returns how many activities it archived. */
export function archiveVanished(
  tx: Prisma.TransactionClient,
  { repositoryId, gone, now }: { repositoryId: bigint; gone: readonly BranchWork[]; now: Date },
): Promise<number> {
  return tx.$executeRaw`
    update activities as activity
       set status = 'archived', archived_reason = 'branch_deleted', archived_at = ${now}, ended_at = ${now}, updated_at = ${now}
      from unnest(${gone.map(({ id }) => id)}::text[], ${gone.map(({ branch }) => branch)}::text[]) as gone(id, branch)
     where activity.repository_id = ${repositoryId} and activity.id = gone.id and activity.branch = gone.branch
       and activity.ended_at is null and activity.expires_at > ${now}`
}
