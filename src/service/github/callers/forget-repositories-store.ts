import type { Database } from '../../db/database.ts'

/** After how long without a request a repository that the App does not read is forgotten, in ms. */
const forgottenAfterMs = 86_400_000
/** How many are forgotten at a time. */
const atOnce = 1_000

/**
 * Forgets the repositories without the App that nobody asked about for long, and those beyond `keep`: their pull requests and
 * the observed work that has not ended. Returns how many.
 */
export async function forgetRepositories(db: Database, { now, keep }: { now: Date; keep: number }): Promise<number> {
  const observed = await db.prisma.observedRepository.findMany({
    where: { by_app: false },
    orderBy: { asked_at: { sort: 'desc', nulls: 'last' } },
    select: { repository_id: true, asked_at: true },
  })
  const until = new Date(now.getTime() - forgottenAfterMs)
  const unused = observed.filter(({ asked_at }, place) => place >= keep || asked_at === null || asked_at <= until)
  let forgotten = 0
  for (const { repository_id } of unused.slice(0, atOnce)) forgotten += await forgetRepository(db, repository_id)
  return forgotten
}

/** Locks the pull requests before the activities, as all code does. Keeps a repository that the App reads now. */
function forgetRepository(db: Database, repository_id: bigint): Promise<number> {
  return db.transaction(async (tx) => {
    const { count } = await tx.observedRepository.deleteMany({ where: { repository_id, by_app: false } })
    if (count === 0) return 0
    await tx.pullRequest.deleteMany({ where: { repository_id } })
    await tx.pushedBranch.deleteMany({ where: { repository_id } })
    await tx.activity.deleteMany({ where: { repository_id, source: { not: 'recorded' }, ended_at: null } })
    return 1
  })
}
