import type { PrismaClient } from '../db/generated/client.ts'
import { inTransaction } from '../db/retry.ts'
import type { Job } from '../jobs.ts'
import { forgetObserved } from '../observed/forget.ts'

/** So many repositories are read with callers' tokens: those that were asked about last. */
const mostByCallers = 200
/** Longer than GitHub delivers events again. */
const lateEventsMs = 8 * 86_400_000

/** Forgets the pull requests of repositories that nobody asks about, and those that ended long ago. */
export function forgetting(prisma: PrismaClient, now: () => Date): Job {
  return {
    name: 'forget pull requests',
    everyMs: 600_000,
    async run() {
      const byCallers = { pulls_asked_at: { not: null }, OR: [{ installation_id: null }, { is_suspended: true }] }
      const orderBy = { requested_at: { sort: 'desc', nulls: 'last' } } as const
      const found = await prisma.repository.findMany({ where: byCallers, orderBy, skip: mostByCallers, take: 1_000 })
      for (const { repository_id } of found)
        await inTransaction(prisma, (tx) => forgetObserved(tx, repository_id, now()))
      const ended = { is_open: false, github_updated_at: { lt: new Date(now().getTime() - lateEventsMs) } }
      await prisma.pullRequest.deleteMany({ where: ended })
    },
  }
}
