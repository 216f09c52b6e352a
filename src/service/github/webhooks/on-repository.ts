import { timeOfEvent } from '../../records/activity/events/event-time.ts'
import { renameRepository } from '../../records/repository/repository-store.ts'
import { invalidateSettingsOfOwner } from '../../records/settings/invalidate-owner.sql.ts'
import { invalidateSettings } from '../../records/settings/settings-store.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { isSettingsOfOwner, type Names, RepositoryEvent } from './webhook-payloads.ts'

/** `repository`: updates names, default branch, settings and cached permissions (docs/rules.md#repository-events). */
export async function onRepository(
  payload: unknown,
  { tx, now, access, forgetSettings }: HandlerContext,
): Promise<HandlerResult> {
  const event = RepositoryEvent.parse(payload)
  const { id, names, defaultBranch, isPublic } = (await resolveRepository(event.repository, tx)) ?? {}
  if (id === undefined || !names) return { ...nothingChanged, repositoryId: id }
  const all = [names, formerNames(event, names)]
  const at = timeOfEvent(event.repository.updated_at, now)
  const renamed = await renameRepository(tx, { id, ...names, defaultBranch: defaultBranch ?? null, isPublic }, at)
  const stale = (await invalidateSettings(tx, id)) + (await markOfOwners(tx, all))
  return {
    repositoryId: id,
    counts: { renamed, stale },
    afterwards() {
      access.forgetRepository(id, all)
      forgetSettings()
    },
  }
}

/** A change of an owner's `.github` repository may change the settings of all repositories of that owner. */
async function markOfOwners(tx: HandlerContext['tx'], names: Names[]): Promise<number> {
  const owners = new Set(names.filter(isSettingsOfOwner).map(({ owner }) => owner.toLowerCase()))
  let stale = 0
  for (const owner of owners) stale += await invalidateSettingsOfOwner(tx, owner)
  return stale
}

function formerNames({ changes }: RepositoryEvent, now: Names): Names {
  const from = changes?.owner?.from
  return {
    owner: from?.user?.login ?? from?.organization?.login ?? now.owner,
    name: changes?.repository?.name.from ?? now.name,
  }
}
