import { pullRequestEnded } from '../../observed/pull-requests/pull-request-ended.ts'
import { pullRequestState } from '../pulls/pull-request-payload.ts'
import { observedPull } from './observe-pull-request.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { PullRequestEvent } from './webhook-payloads.ts'

/**
 * `pull_request` `closed`: ends what is observed of it, and a merge archives recorded work
 * (docs/rules.md#merged-pull-requests). A pull request that was closed without a merge archives no recorded work
 * (docs/rules.md#closed-pull-requests).
 */
export async function onPullRequestClosed(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, now } = context
  const event = PullRequestEvent.parse(payload)
  const repository = await resolveRepository(event.repository, tx)
  if (repository === undefined) return nothingChanged
  const { id: repositoryId } = repository
  const observed = await observedPull(event, repository, context)
  const pull = observed?.facts ?? pullRequestState(event.pull_request, { id: repositoryId, payload: event.repository })
  const { ended, merged } = await pullRequestEnded(tx, repository, pull, { facts: observed?.facts ?? null, now })
  const counts = observed ? { ended, merged } : { merged }
  return { repositoryId, counts, afterwards: () => observed?.wake() }
}
