import { observePullRequest } from './observe-pull-request.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { PullRequestEvent } from './webhook-payloads.ts'

/** `pull_request` `synchronize`: the head of an observed pull request was pushed (docs/rules.md#reading-with-the-app). */
export async function onPullRequestSynchronize(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const event = PullRequestEvent.parse(payload)
  const repository = await resolveRepository(event.repository, context.tx)
  if (repository === undefined) return nothingChanged
  return { repositoryId: repository.id, ...(await observePullRequest(event, repository, context)) }
}
