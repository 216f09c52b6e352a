import { archiveMerged } from '../../activity/archive-merged.ts'
import { latestCreatedAt } from '../../activity/event-time.ts'
import { linkPullRequest } from '../../activity/link-pull-request.ts'
import { markBranchSeen } from '../recovery/seen-branches-store.ts'
import {
  type EventRepository,
  type HandlerContext,
  type HandlerResult,
  nothingChanged,
  resolveRepository,
} from './webhook-handler.ts'
import { headInSameRepository, PullRequestEvent } from './webhook-payloads.ts'

const linking = new Set(['opened', 'reopened', 'ready_for_review', 'converted_to_draft', 'edited'])
const opening = new Set(['opened', 'reopened'])

/**
 * `pull_request`: a merge archives (docs/rules.md#merged-pull-requests), an open one is linked
 * (docs/rules.md#opened-pull-requests).
 */
export async function onPullRequest(payload: unknown, handling: HandlerContext): Promise<HandlerResult> {
  const event = PullRequestEvent.parse(payload)
  const { action, pull_request } = event
  const subject = await resolveRepository(event.repository, handling.tx)
  if (subject === undefined) return nothingChanged
  const isMerged = pull_request.merged ?? pull_request.merged_at !== null
  if (action === 'closed' && isMerged) {
    return { repositoryId: subject.id, counts: await onMerge(event, subject, handling) }
  }
  if (!linking.has(action) || pull_request.state === 'closed') return { ...nothingChanged, repositoryId: subject.id }
  return { repositoryId: subject.id, counts: await onOpen(event, subject, handling) }
}

function onMerge(event: PullRequestEvent, { id, defaultBranch }: EventRepository, { tx, now }: HandlerContext) {
  const { number, base, merged_at } = event.pull_request
  const head = headInSameRepository(event)
  const merge = { repositoryId: id, number, head, base: base?.ref ?? null, defaultBranch, mergedAt: merged_at }
  return archiveMerged(tx, merge, now)
}

/** The head branch of an open pull request is there: GitHub closes it when the branch goes. */
async function onOpen(
  event: PullRequestEvent,
  { id, names, defaultBranch }: EventRepository,
  handling: HandlerContext,
) {
  const { action, pull_request } = event
  const { tx, now } = handling
  const { number, draft = false, updated_at: updatedAt } = pull_request
  const head = headInSameRepository(event)
  const sighting = { now, until: latestCreatedAt(updatedAt, now) }
  if (head !== null) await markBranchSeen(tx, { repositoryId: id, branch: head }, sighting)
  if (!names) return {}
  const opened = {
    repositoryId: id,
    number,
    url: `https://${new URL(handling.serverUrl).host}/${names.owner}/${names.name}/pull/${number}`,
    head,
    defaultBranch,
    draft,
    opened: opening.has(action),
    updatedAt,
  }
  return linkPullRequest(tx, opened, now)
}
