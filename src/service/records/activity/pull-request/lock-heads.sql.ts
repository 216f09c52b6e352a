import { type Activity as ActivityModel, Prisma } from '../../../db/generated/client.ts'

/** The columns that decide which pull requests an activity may cover. */
type Work = Pick<ActivityModel, 'repository_id' | 'branch' | 'pr_repository_id' | 'pr_number'>

/**
 * Selects for update the pull requests that recorded work may cover: the linked one, and the open ones of its branch.
 * Code that decides which activity covers a pull request locks these rows, and locks them before activities. Null if
 * there can be none.
 */
export function lockingSelect(works: readonly [Work, ...Work[]]): Prisma.Sql | null {
  const [{ repository_id }] = works
  const numbers = works.flatMap((work) => (work.pr_repository_id === repository_id ? (work.pr_number ?? []) : []))
  const branches = works.flatMap(({ branch }) => branch ?? [])
  if (numbers.length === 0 && branches.length === 0) return null
  return Prisma.sql`
    select locked.number
      from (
        select unnest(${numbers}::int[]) as number
        union
        select own.number from unnest(${branches}::text[]) as branch cross join lateral (
          select number from pull_requests
           where repository_id = ${repository_id} and state = 'open' and head_ref >= branch and head_ref <= branch
           order by head_ref offset 0) as own
        order by number) as wanted
      cross join lateral (
        select number from pull_requests
         where repository_id = ${repository_id} and number = wanted.number offset 0 for update) as locked`
}

/** Locks the pull requests of these activities, and the branch of a pushed branch's record. */
export async function lockHeadsOf(
  tx: Prisma.TransactionClient,
  works: readonly [Work & Pick<ActivityModel, 'source'>, ...Work[]],
): Promise<void> {
  const select = lockingSelect(works)
  if (select) await tx.$queryRaw(select)
  const [{ repository_id, source, branch }] = works
  if (source !== 'branch') return
  await tx.$queryRaw`
    select branch from pushed_branches where repository_id = ${repository_id} and branch = ${branch} for update`
}
