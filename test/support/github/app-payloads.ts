import { findAccount, type Installation, type Repository, repositoryOf } from './data.ts'
import { covers } from './installation-of.ts'
import { aboutRepository, type EventContext } from './payloads.ts'
import { nodeId, organizationShape } from './shapes/account.ts'
import { installationShape } from './shapes/installation.ts'
import { accountOf } from './shapes/pull.ts'

export function renamedEvent(scene: EventContext, repository: Repository, formerName: string) {
  const changes = { repository: { name: { from: formerName } } }
  return { action: 'renamed', changes, ...aboutRepository(scene, repository) }
}

/** `formerOwner` must still be an account. */
export function transferredEvent(scene: EventContext, repository: Repository, formerOwner: string) {
  const { data, links } = scene
  const account = findAccount(data, formerOwner)
  if (account === undefined) throw new Error(`the stand-in has no account ${formerOwner}`)
  const from =
    account.type === 'Organization'
      ? { organization: organizationShape(account, links) }
      : { user: accountOf(data, formerOwner, links) }
  return { action: 'transferred', changes: { owner: { from } }, ...aboutRepository(scene, repository) }
}

export function visibilityEvent(scene: EventContext, repository: Repository) {
  return { action: repository.private ? 'privatized' : 'publicized', ...aboutRepository(scene, repository) }
}

export function defaultBranchEvent(scene: EventContext, repository: Repository, formerBranch: string) {
  const changes = { default_branch: { from: formerBranch } }
  return { action: 'edited', changes, ...aboutRepository(scene, repository) }
}

export type InstallationAction = 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted'

export function installationEvent(scene: EventContext, installation: Installation, action: InstallationAction) {
  const { data, links } = scene
  return {
    action,
    installation: installationShape(data, installation, links),
    ...(action === 'suspend' || action === 'unsuspend'
      ? {}
      : { repositories: briefly(scene, chosenBy(scene, installation)) }),
    ...(action === 'created' ? { requester: null } : {}),
    sender: accountOf(data, installation.account, links),
  }
}

/** The ids of repositories that were added to or removed from the installation. */
export function installationRepositoriesEvent(
  scene: EventContext,
  installation: Installation,
  { added = [], removed = [] }: { added?: number[]; removed?: number[] },
) {
  const { data, links } = scene
  const shape = installationShape(data, installation, links)
  return {
    action: added.length > 0 ? 'added' : 'removed',
    installation: shape,
    repository_selection: shape.repository_selection,
    repositories_added: briefly(scene, added),
    repositories_removed: briefly(scene, removed),
    requester: null,
    sender: accountOf(data, installation.account, links),
  }
}

function chosenBy({ data }: EventContext, installation: Installation): number[] {
  return [...data.repositories.values()].filter((one) => covers(installation, one)).map(({ id }) => id)
}

function briefly({ data }: EventContext, ids: number[]) {
  return ids.map((id) => {
    const { owner, name, private: isPrivate } = repositoryOf(data, id)
    return { id, node_id: nodeId('R', id), name, full_name: `${owner}/${name}`, private: isPrivate }
  })
}
