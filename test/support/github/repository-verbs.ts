import { defaultBranchEvent, renamedEvent, transferredEvent, visibilityEvent } from './app-payloads.ts'
import { newSha } from './ids.ts'
import type { Scene } from './payloads.ts'
import { found, type Named, type Tell } from './tell.ts'
import { nameKey, type Repository } from './world.ts'

/** What people do to a repository: each changes the world, and then tells the App. */
export function createRepositoryVerbs(scene: Scene, tell: Tell) {
  const { world } = scene

  /** From the old name GitHub leads on to the new one, until another repository takes it. */
  function move(repository: Repository, to: { owner?: string; name?: string }): void {
    world.formerNames.set(nameKey(repository.owner, repository.name), repository.id)
    Object.assign(repository, to, { updatedAt: new Date(world.now()) })
  }

  return {
    async renameRepository(named: Named, name: string): Promise<void> {
      const repository = found(world, named)
      const former = repository.name
      move(repository, { name })
      await tell(repository, 'repository', renamedEvent(scene, repository, former))
    },
    /** To an account that exists. Told to the App where it is installed there, as GitHub does. */
    async transferRepository(named: Named, owner: string): Promise<void> {
      const repository = found(world, named)
      const former = repository.owner
      move(repository, { owner })
      await tell(repository, 'repository', transferredEvent(scene, repository, former))
    },
    async setPrivate(named: Named, isPrivate: boolean): Promise<void> {
      const repository = Object.assign(found(world, named), { private: isPrivate })
      await tell(repository, 'repository', visibilityEvent(scene, repository))
    },
    async setDefaultBranch(named: Named, branch: string): Promise<void> {
      const repository = found(world, named)
      const former = repository.defaultBranch
      repository.defaultBranch = branch
      if (!repository.branches.has(branch)) repository.branches.set(branch, newSha())
      await tell(repository, 'repository', defaultBranchEvent(scene, repository, former))
    },
  }
}
