import { archiveMerged } from '../activity/events/on-branch-event.ts'
import type { Prisma } from '../db/generated/client.ts'
import { isOutdated, rowFacts } from './next-row.ts'
import type { ObservedRepositoryRef, PullRequestFacts, PullRequestRow } from './pull-request.ts'
import { changePullRequest, lockOrInsertPullRequest, lockPullRequest } from './pull-requests.sql.ts'
import { endRecord } from './record.sql.ts'

export interface EndedCounts {
  /** Observed activities that ended. */
  ended: number
  /** Recorded activities that the merge archived. */
  merged: number
}

/**
 * Ends an open pull request. Its observed activity is archived for this reason, and a merge archives recorded work too
 * (docs/rules.md#merged-pull-requests). Facts that are older than the saved ones change nothing. An end that is known
 * is not repeated.
 */
export async function endPullRequest(
  tx: Prisma.TransactionClient,
  repository: ObservedRepositoryRef,
  facts: PullRequestFacts,
  reason: 'merged' | 'closed',
  now: Date,
): Promise<EndedCounts> {
  const { row, isNew } = await lockOrInsertPullRequest(tx, repository.id, facts, now)
  if (!isNew && isOutdated(row, facts)) return { ended: 0, merged: 0 }
  const isKnown = !isNew && row.state === reason
  await changePullRequest(tx, row, { ...rowFacts(facts), state: reason, ...endedColumns })
  if (isKnown) return { ended: 0, merged: 0 }
  const ended = await endRecord(tx, row, { reason, endedAt: facts.endedAt ?? now, now })
  const { merged } = reason === 'merged' ? await archiveMerged(tx, mergeOf(repository, facts), now) : { merged: 0 }
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

function mergeOf({ id, defaultBranch }: ObservedRepositoryRef, facts: PullRequestFacts) {
  return {
    repositoryId: id,
    number: facts.number,
    head: facts.headRepositoryId === id ? facts.headRef : null,
    base: facts.baseRef,
    defaultBranch,
    mergedAt: facts.endedAt,
  }
}
