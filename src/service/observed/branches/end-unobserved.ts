import type { Database } from '../../db/database.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { forgetPushedBranches } from '../forget.sql.ts'
import { isObservedBranch, observesBranches } from '../is-observed.ts'
import { findRecordedBranches, lockPushedBranch } from './pushed-branches.sql.ts'
import { endBranch } from './save-branch.ts'

/**
 * Ends the records of the branches that the settings exclude: of all if branches are turned off, else of ignored ones
 * and of the default branch. Returns how many ended.
 */
export async function endUnobservedBranches(
  db: Database,
  { id, defaultBranch }: Repository,
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches'>,
  now: Date,
): Promise<number> {
  if (!observesBranches(settings)) return db.transaction((tx) => forgetPushedBranches(tx, id, now))
  const branches = await findRecordedBranches(db.prisma, id)
  const unobserved = branches.filter((branch) => !isObservedBranch({ branch, defaultBranch }, settings))
  let ended = 0
  for (const branch of unobserved) {
    ended += await db.transaction(async (tx) => {
      const row = await lockPushedBranch(tx, id, branch)
      return row ? endBranch(tx, row, { reason: 'closed', endedAt: now, now }) : 0
    })
  }
  return ended
}
