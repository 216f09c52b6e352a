import type { Prisma } from '../db/generated/client.ts'
import type { Settings } from '../settings/schema.ts'
import { type BranchOf, hasLiveOnBranch, heartbeatLiveOnBranch } from './branch-store.ts'

/**
 * A push to a branch counts as a heartbeat of the live work on it (decisions §10). The settings are asked for only where
 * there is such work: most pushes are of branches that nobody recorded.
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
