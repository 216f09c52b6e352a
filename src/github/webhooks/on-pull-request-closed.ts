import { archiveMerged } from '../../activity/events/on-branch-event.ts'
import { isMerged } from '../pulls/pull-request-payload.ts'
import { observePullRequest } from './observe-pull-request.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { headInSameRepository, PullRequestEvent } from './webhook-payloads.ts'

/**
 * `pull_request` `closed`: a merge archives activities (docs/rules.md#merged-pull-requests). A pull request that was
 * closed without a merge archives no recorded work (docs/rules.md#closed-pull-requests).
 */
export async function onPullRequestClosed(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, now } = context
  const event = PullRequestEvent.parse(payload)
  const repository = await resolveRepository(event.repository, tx)
  if (repository === undefined) return nothingChanged
  const { id: repositoryId, defaultBranch } = repository
  const { number, base, merged_at: mergedAt } = event.pull_request
  // Its row is locked before activities are.
  const observed = await observePullRequest(payload, repository, context)
  const { counts, afterwards } = observed
  if (!isMerged(event.pull_request)) return { repositoryId, counts, afterwards }
  const head = headInSameRepository(event)
  const merge = { repositoryId, number, head, base: base?.ref ?? null, defaultBranch, mergedAt }
  const archived = await archiveMerged(tx, merge, now)
  return { repositoryId, counts: { ...counts, merged: (counts.merged ?? 0) + archived.merged }, afterwards }
}
