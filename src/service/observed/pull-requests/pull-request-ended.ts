import type { Prisma } from '../../db/generated/client.ts'
import { archiveMerged } from '../../records/activity/events/branch-events.ts'
import { endRecord } from '../observed-activity.sql.ts'
import {
  headBranchIn,
  type ObservedRepositoryRef,
  type PullRequestFacts,
  type PullRequestRow,
  type PullRequestState,
} from './pull-request.ts'
import { isOutdated, rowFacts } from './pull-request-rules.ts'
import { changePullRequest, lockOrInsertPullRequest, lockPullRequest } from './pull-requests.sql.ts'

export interface EndedCounts {
  /** Observed activities that ended. */
  ended: number
  /** Recorded activities that the merge archived. */
  merged: number
}

const nothingEnded: EndedCounts = { ended: 0, merged: 0 }

/**
 * Ends a pull request, wherever its end was learned. Its observed activity is archived, and a merge archives recorded work too
 * (docs/rules.md#merged-pull-requests). What has ended stays as it is, so that an end may be learned several times. Facts that are
 * older than the saved ones close nothing, but a merge is final. `facts` is null where the pull request is not observed.
 */
export async function pullRequestEnded(
  tx: Prisma.TransactionClient,
  repository: Pick<ObservedRepositoryRef, 'id' | 'defaultBranch'>,
  pull: PullRequestState,
  { facts, now }: { facts: PullRequestFacts | null; now: Date },
): Promise<EndedCounts> {
  const { id } = repository
  const reason = pull.state === 'merged' ? 'merged' : 'closed'
  if (facts === null && reason === 'closed') return nothingEnded
  // The row of the pull request is locked before activities are.
  const row = facts
    ? (await lockOrInsertPullRequest(tx, id, facts, now)).row
    : await lockPullRequest(tx, id, pull.number)
  if (row && facts && reason === 'closed' && isOutdated(row, facts)) return nothingEnded
  if (row) await changePullRequest(tx, row, { ...(facts ? rowFacts(facts) : {}), state: reason, ...endedColumns })
  const ended = row ? await endRecord(tx, row, { reason, endedAt: pull.endedAt ?? now, now }) : 0
  const { merged } = reason === 'merged' ? await archiveMerged(tx, mergeOf(repository, pull), now) : nothingEnded
  return { ended, merged }
}

/** Ends a pull request that GitHub no longer has, as closed. Returns how many observed activities ended. */
export async function endMissingPullRequest(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  number: number,
  now: Date,
): Promise<number> {
  const row = await lockPullRequest(tx, repositoryId, number)
  if (row?.state !== 'open') return 0
  await changePullRequest(tx, row, { state: 'closed', ...endedColumns })
  return endRecord(tx, row, { reason: 'closed', endedAt: now, now })
}

const endedColumns = {
  activity_id: null,
  unread_since: null,
  marked_by_webhook: false,
  put_aside_by: null,
  put_aside_head_sha: null,
} satisfies Partial<PullRequestRow>

function mergeOf({ id, defaultBranch }: Pick<ObservedRepositoryRef, 'id' | 'defaultBranch'>, pull: PullRequestState) {
  return {
    repositoryId: id,
    number: pull.number,
    head: headBranchIn(pull, id),
    base: pull.baseRef,
    defaultBranch,
    mergedAt: pull.endedAt,
  }
}
