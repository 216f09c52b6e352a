import { headBranchIn } from '../../observed/pull-requests/pull-request.ts'
import { linkPullRequest } from '../../records/activity/events/branch-events.ts'
import { latestCreatedAt } from '../../records/activity/events/event-time.ts'
import { markBranchSeen } from '../../records/activity/events/seen-branches.sql.ts'
import { pullRequestState } from '../pulls/pull-request-payload.ts'
import { observePullRequest } from './observe-pull-request.ts'
import {
  type EventRepository,
  type HandlerContext,
  type HandlerResult,
  nothingChanged,
  resolveRepository,
} from './webhook-handler.ts'
import { PullRequestEvent } from './webhook-payloads.ts'

const opening = new Set(['opened', 'reopened'])

/** `pull_request` of an open pull request: links it to the live activities of its head (docs/rules.md#opened-pull-requests). */
export async function onPullRequestOpen(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const event = PullRequestEvent.parse(payload)
  const repository = await resolveRepository(event.repository, context.tx)
  if (repository === undefined) return nothingChanged
  // `edited` is also sent for closed pull requests.
  if (event.pull_request.state === 'closed') return { ...nothingChanged, repositoryId: repository.id }
  // Its row is locked before activities are.
  const observed = await observePullRequest(event, repository, context)
  const counts = { ...observed.counts, ...(await link(event, repository, context)) }
  return { repositoryId: repository.id, counts, afterwards: observed.afterwards }
}

/** An open pull request shows that its head branch exists: GitHub closes it when the branch is deleted. */
async function link(
  event: PullRequestEvent,
  { id: repositoryId, names, defaultBranch }: EventRepository,
  { tx, now, serverUrl }: HandlerContext,
) {
  const { action, pull_request } = event
  const { number, draft, updated_at: updatedAt } = pull_request
  const pull = pullRequestState(pull_request, { id: repositoryId, payload: event.repository })
  const head = headBranchIn(pull, repositoryId)
  const until = latestCreatedAt(updatedAt, now)
  if (head !== null) await markBranchSeen(tx, { repositoryId, branch: head }, { now, until })
  if (!names) return {}
  const opened = {
    repositoryId,
    number,
    url: `https://${new URL(serverUrl).host}/${names.owner}/${names.name}/pull/${number}`,
    head,
    defaultBranch,
    draft,
    opened: opening.has(action),
    updatedAt,
  }
  return linkPullRequest(tx, opened, now)
}
