import { archiveMerged } from '../activity/archive-merged.ts'
import { linkPullRequest } from '../activity/link-pull-request.ts'
import { type Handled, type Handling, nothing, repositoryIdOf } from './delivery.ts'
import { headInSameRepository, namesOf, PullRequestEvent } from './webhook-facts.ts'

const linking = new Set(['opened', 'reopened', 'ready_for_review', 'converted_to_draft', 'edited'])
const opening = new Set(['opened', 'reopened'])

/** `pull_request`: a merge archives, an open pull request is linked; closing without merging does nothing (decisions §10). */
export async function onPullRequest(payload: unknown, handling: Handling): Promise<Handled> {
  const event = PullRequestEvent.parse(payload)
  const repositoryId = await repositoryIdOf(event.repository, handling.tx)
  if (repositoryId === undefined) return nothing
  const { action, pull_request } = event
  const isMerged = pull_request.merged ?? pull_request.merged_at !== null
  if (action === 'closed' && isMerged) return { repositoryId, counts: await onMerge(event, repositoryId, handling) }
  if (!linking.has(action) || pull_request.state === 'closed') return { ...nothing, repositoryId }
  return { repositoryId, counts: await onOpen(event, repositoryId, handling) }
}

function onMerge(event: PullRequestEvent, repositoryId: bigint, { tx, now }: Handling) {
  const { pull_request, repository } = event
  return archiveMerged(
    tx,
    {
      repositoryId,
      number: pull_request.number,
      head: headInSameRepository(event),
      base: pull_request.base?.ref ?? null,
      defaultBranch: repository.default_branch ?? null,
      mergedAt: pull_request.merged_at,
    },
    now,
  )
}

async function onOpen(event: PullRequestEvent, repositoryId: bigint, { tx, now, serverUrl }: Handling) {
  const { action, pull_request, repository } = event
  const names = namesOf(repository)
  if (!names) return {}
  const { number, draft = false } = pull_request
  return linkPullRequest(
    tx,
    {
      repositoryId,
      number,
      url: `${serverUrl.replace(/^http:/, 'https:')}/${names.owner}/${names.name}/pull/${number}`,
      head: headInSameRepository(event),
      defaultBranch: repository.default_branch ?? null,
      draft,
      opened: opening.has(action),
    },
    now,
  )
}
