import { archiveBranch } from '../../activity/events/on-branch-event.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { DeleteEvent } from './webhook-payloads.ts'

/** `delete` of a branch archives its live activities (docs/rules.md#deleted-branches). */
export async function onDelete(payload: unknown, { tx, now }: HandlerContext): Promise<HandlerResult> {
  const { ref, ref_type, repository } = DeleteEvent.parse(payload)
  const repositoryId = (await resolveRepository(repository, tx))?.id
  if (repositoryId === undefined || ref_type !== 'branch') return { ...nothingChanged, repositoryId }
  const branch = ref.replace(/^refs\/heads\//, '')
  return {
    repositoryId,
    counts: await archiveBranch(tx, { repositoryId, branch, pushedAt: repository.pushed_at }, now),
  }
}
