import { archiveMerged } from '../activity/events/on-branch-event.ts'
import type { Prisma } from '../db/generated/client.ts'
import { isOutdated, rowFacts } from './next-row.ts'
import {
  headBranchIn,
  type ObservedRepositoryRef,
  type PullRequestFacts,
  type PullRequestRow,
  type PullRequestState,
} from './pull-request.ts'
import { changePullRequest, lockOrInsertPullRequest, lockPullRequest } from './pull-requests.sql.ts'
import { endRecord } from './record.sql.ts'

export interface EndedCounts {
  /** Observed activities that ended. */
  ended: number
  /** Recorded activities that the merge archived. */
  merged: number
}

const nothingEnded: EndedCounts = { ended: 0, merged: 0 }

/**
 * Ends a pull request, wherever its end was learned. Its observed activity is archived, and a merge archives recorded work too
 * (docs/rules.md#merged-pull-requests). An end that is known is not repeated. Facts that are older than the saved ones close
 * nothing, but a merge is final. `facts` is null where the pull request is not observed.
 */
export async function pullRequestEnded(
  tx: Prisma.TransactionClient,
  repository: Pick<ObservedRepositoryRef, 'id' | 'defaultBranch'>,
  pull: PullRequestState,
  { facts, now }: { facts: PullRequestFacts | null; now: Date },
): Promise<EndedCounts> {
  const reason = pull.state === 'merged' ? 'merged' : 'closed'
  if (facts === null && reason === 'closed') return nothingEnded
  // The row of the pull request is locked before activities are.
  const { row, isNew } = await lock(tx, repository.id, { number: pull.number, facts, now })
  if (row && !isNew && facts !== null && reason === 'closed' && isOutdated(row, facts)) return nothingEnded
  const isKnown = !isNew && row?.state === reason
  if (row) await changePullRequest(tx, row, { ...(facts ? rowFacts(facts) : {}), state: reason, ...endedColumns })
  if (isKnown) return nothingEnded
  const ended = row ? await endRecord(tx, row, { reason, endedAt: pull.endedAt ?? now, now }) : 0
  const { merged } = reason === 'merged' ? await archiveMerged(tx, mergeOf(repository, pull), now) : nothingEnded
  return { ended, merged }
}

async function lock(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  { number, facts, now }: { number: number; facts: PullRequestFacts | null; now: Date },
): Promise<{ row: PullRequestRow | undefined; isNew: boolean }> {
  if (facts !== null) return lockOrInsertPullRequest(tx, repositoryId, facts, now)
  return { row: await lockPullRequest(tx, repositoryId, number), isNew: false }
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
