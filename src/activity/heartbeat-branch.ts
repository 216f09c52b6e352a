import type { Prisma } from '../db/generated/client.ts'
import type { Settings } from '../settings/schema.ts'
import { type BranchOf, hasLiveOnBranch, heartbeatLiveOnBranch } from './branch-store.ts'

/**
 * A push is a heartbeat of the live activities on its branch (docs/rules.md#pushes). Reads the settings only if there
 * are any: most pushed branches have no activity.
 */
export async function heartbeatBranch(
  tx: Prisma.TransactionClient,
  branch: BranchOf,
  now: Date,
  settings: () => Promise<Pick<Settings, 'activity_ttl_ms' | 'max_activity_ttl_ms'>>,
): Promise<number> {
  if (!(await hasLiveOnBranch(tx, branch, now))) return 0
  const { activity_ttl_ms, max_activity_ttl_ms } = await settings()
  return heartbeatLiveOnBranch(tx, branch, { now, ttlMs: activity_ttl_ms, maxTtlMs: max_activity_ttl_ms })
}
