import { archiveBranch } from '../../records/activity/events/branch-events.ts'
import { observeDeletedBranch } from './observe-branch.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { DeleteEvent } from './webhook-payloads.ts'

/** `delete` of a branch archives its live activities (docs/rules.md#deleted-branches), recorded and observed. */
export async function onDelete(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, now } = context
  const { ref, ref_type, repository } = DeleteEvent.parse(payload)
  const repositoryId = (await resolveRepository(repository, tx))?.id
  if (repositoryId === undefined || ref_type !== 'branch') return { ...nothingChanged, repositoryId }
  const branch = ref.replace(/^refs\/heads\//, '')
  const { pushed_at: pushedAt } = repository
  // The row of the branch is locked before activities are.
  const ended = await observeDeletedBranch(repositoryId, { branch, pushedAt }, context)
  const counts = await archiveBranch(tx, { repositoryId, branch, pushedAt }, now)
  return { repositoryId, counts: { ...counts, ...(ended > 0 ? { ended } : {}) } }
}
