import { archiveMerged } from '../../activity/on-branch-event.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { headInSameRepository, PullRequestEvent } from './webhook-payloads.ts'

/**
 * `pull_request` `closed`: a merge archives activities (docs/rules.md#merged-pull-requests). A pull request that was
 * closed without a merge archives nothing (docs/rules.md#closed-pull-requests).
 */
export async function onPullRequestClosed(payload: unknown, { tx, now }: HandlerContext): Promise<HandlerResult> {
  const event = PullRequestEvent.parse(payload)
  const repository = await resolveRepository(event.repository, tx)
  if (repository === undefined) return nothingChanged
  const { id: repositoryId, defaultBranch } = repository
  const { number, base, merged, merged_at: mergedAt } = event.pull_request
  const isMerged = merged ?? mergedAt !== null
  if (!isMerged) return { ...nothingChanged, repositoryId }
  const head = headInSameRepository(event)
  const merge = { repositoryId, number, head, base: base?.ref ?? null, defaultBranch, mergedAt }
  return { repositoryId, counts: await archiveMerged(tx, merge, now) }
}
