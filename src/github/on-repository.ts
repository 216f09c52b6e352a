import { renameRepository } from '../repository/store.ts'
import { markSettingsStale } from '../settings/stale-store.ts'
import { type Handled, type Handling, nothing, repositoryIdOf } from './delivery.ts'
import { namesOf, RepositoryEvent } from './webhook-facts.ts'

const followed = new Set(['renamed', 'transferred', 'privatized', 'publicized', 'edited', 'deleted'])

/** `repository`: names, the default branch and cached permissions follow at once (decisions §10). */
export async function onRepository(payload: unknown, { tx, now, access, forgetSettings }: Handling): Promise<Handled> {
  const event = RepositoryEvent.parse(payload)
  const repositoryId = await repositoryIdOf(event.repository, tx)
  const names = namesOf(event.repository)
  if (repositoryId === undefined || !names || !followed.has(event.action)) return { ...nothing, repositoryId }
  const renamed = await renameRepository(
    tx,
    { id: repositoryId, ...names, defaultBranch: event.repository.default_branch ?? null },
    now,
  )
  await markSettingsStale(tx, repositoryId)
  return {
    repositoryId,
    counts: { renamed },
    afterwards() {
      access.forgetRepository(repositoryId, [names, formerName(event, names)])
      forgetSettings()
    },
  }
}

function formerName({ changes }: RepositoryEvent, now: { owner: string; name: string }) {
  const from = changes?.owner?.from
  return {
    owner: from?.user?.login ?? from?.organization?.login ?? now.owner,
    name: changes?.repository?.name.from ?? now.name,
  }
}
