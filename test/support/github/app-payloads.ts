import { covers } from './installed.ts'
import { aboutRepository, type Scene } from './payloads.ts'
import { nodeId, organizationShape } from './shapes/account.ts'
import { installationShape } from './shapes/installation.ts'
import { accountOf } from './shapes/pull.ts'
import { findAccount, type Installation, type Repository, repositoryOf } from './world.ts'

export function renamedEvent(scene: Scene, repository: Repository, formerName: string) {
  const changes = { repository: { name: { from: formerName } } }
  return { action: 'renamed', changes, ...aboutRepository(scene, repository) }
}

/** `formerOwner` has to be an account still. */
export function transferredEvent(scene: Scene, repository: Repository, formerOwner: string) {
  const { world, links } = scene
  const account = findAccount(world, formerOwner)
  if (account === undefined) throw new Error(`the stand-in has no account ${formerOwner}`)
  const from =
    account.type === 'Organization'
      ? { organization: organizationShape(account, links) }
      : { user: accountOf(world, formerOwner, links) }
  return { action: 'transferred', changes: { owner: { from } }, ...aboutRepository(scene, repository) }
}

export function visibilityEvent(scene: Scene, repository: Repository) {
  return { action: repository.private ? 'privatized' : 'publicized', ...aboutRepository(scene, repository) }
}

export function defaultBranchEvent(scene: Scene, repository: Repository, formerBranch: string) {
  const changes = { default_branch: { from: formerBranch } }
  return { action: 'edited', changes, ...aboutRepository(scene, repository) }
}

export type InstallationAction = 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted'

export function installationEvent(scene: Scene, installation: Installation, action: InstallationAction) {
  const { world, links } = scene
  return {
    action,
    installation: installationShape(world, installation, links),
    ...(action === 'suspend' || action === 'unsuspend'
      ? {}
      : { repositories: briefly(scene, chosenBy(scene, installation)) }),
    ...(action === 'created' ? { requester: null } : {}),
    sender: accountOf(world, installation.account, links),
  }
}

/** Ids of repositories that came to the installation, or left it. */
export function installationRepositoriesEvent(
  scene: Scene,
  installation: Installation,
  { added = [], removed = [] }: { added?: number[]; removed?: number[] },
) {
  const { world, links } = scene
  const shape = installationShape(world, installation, links)
  return {
    action: added.length > 0 ? 'added' : 'removed',
    installation: shape,
    repository_selection: shape.repository_selection,
    repositories_added: briefly(scene, added),
    repositories_removed: briefly(scene, removed),
    requester: null,
    sender: accountOf(world, installation.account, links),
  }
}

function chosenBy({ world }: Scene, installation: Installation): number[] {
  return [...world.repositories.values()].filter((one) => covers(installation, one)).map(({ id }) => id)
}

function briefly({ world }: Scene, ids: number[]) {
  return ids.map((id) => {
    const { owner, name, private: isPrivate } = repositoryOf(world, id)
    return { id, node_id: nodeId('R', id), name, full_name: `${owner}/${name}`, private: isPrivate }
  })
}
