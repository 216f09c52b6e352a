import type { Context, Parts } from '../context.ts'
import type { Repository as Row } from '../db/generated/client.ts'
import { observationOf } from '../github/observation.ts'
import { repositoryOf } from '../github/repositories.ts'
import { type CheckContext, type Checked, checkRecord } from '../overlap/check.ts'
import { live } from '../records/lifecycle.ts'
import type { Settings } from '../records/settings.ts'

export type Checking = Parts & Pick<Context, 'pool'>

/** A check of a pull request's own work, and the id of that: of the recorded work that covers it. Null where it has none. */
export async function checkOfPull(
  { prisma, pool, now }: Checking,
  { row, settings, number }: { row: Row; settings: Settings; number: number },
): Promise<(Checked & { ownId: string }) | null> {
  const { repository_id, installation_id, is_public: isPublic } = row
  const records = await prisma.activity.findMany({
    where: { repository_id, pr_number: number, ...live(now()) },
    orderBy: { id: 'desc' },
  })
  const covering = records.find(({ source }) => source === 'recorded') ?? records[0]
  if (!covering) return null
  const asApp: CheckContext = {
    ...{ pool, settings, now, repository: { ...repositoryOf(row), isPublic, parent: null } },
    // Each installation has a token of its own, so that checks of one do not wait for those of another.
    tokenKey: `installation ${installation_id}`,
    seesPulls: async () => true,
    observe: () => observationOf(prisma, repository_id, { byApp: true, now: now() }),
  }
  return { ...(await checkRecord(asApp, covering)), ownId: covering.id }
}
