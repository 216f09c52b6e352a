import type { Prisma } from '../../db/generated/client.ts'
import type { ActivityRow } from '../../records/activity/activities.sql.ts'
import { lockLiveRecord } from '../observed-activity.sql.ts'
import type { PullRequestFacts } from '../pull-requests/pull-request.ts'
import type { PushedBranchRow } from './pushed-branch.ts'
import { changePushedBranch, lockBranchesOf } from './pushed-branches.sql.ts'
import { endBranch } from './save-branch.ts'

/** The live record of a branch whose pull request was opened, and the last push of that branch. */
export interface TakenBranch {
  activity: ActivityRow
  branch: PushedBranchRow
}

/**
 * Ends the records of the branches that an open pull request keeps from being observed (docs/rules.md#pushed-branches), but
 * for that of its head: this one becomes the record of the pull request, and is returned. With `hasRecord` the pull request
 * has a record already, and all of them end. The row of the pull request is locked.
 */
export async function takeBranches(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  facts: PullRequestFacts,
  { hasRecord, now }: { hasRecord: boolean; now: Date },
): Promise<TakenBranch | undefined> {
  let taken: TakenBranch | undefined
  for (const branch of await lockBranchesOf(tx, repositoryId, facts)) {
    const isHead = facts.headRepositoryId === repositoryId && branch.branch === facts.headRef
    const found = isHead && !hasRecord ? await lockLiveRecord(tx, branch, now) : { ended: undefined }
    if ('live' in found) {
      taken = { activity: found.live, branch }
      await changePushedBranch(tx, branch, { activity_id: null, files_head_sha: branch.head_sha, commits: [] })
    } else await endBranch(tx, branch, { reason: 'closed', endedAt: now, now })
  }
  return taken
}
