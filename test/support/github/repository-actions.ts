import { defaultBranchEvent, renamedEvent, transferredEvent, visibilityEvent } from './app-payloads.ts'
import { addAccount, addRepository } from './build-data.ts'
import { nameKey, type Repository } from './data.ts'
import { newSha } from './ids.ts'
import type { EventContext } from './payloads.ts'
import { findById, type RepositoryRef, type SendEvent } from './send-event.ts'

/** Changes of a repository. Each changes the data and sends the event. */
export function createRepositoryActions(scene: EventContext, sendEvent: SendEvent) {
  const { data } = scene

  /** The old name redirects to the new one, until another repository takes it. */
  function move(repository: Repository, to: { owner?: string; name?: string }): void {
    data.formerNames.set(nameKey(repository.owner, repository.name), repository.id)
    Object.assign(repository, to, { updatedAt: new Date(data.now()) })
  }

  return {
    /** Adds a fork with the same name to the account of a user. Sends no event. */
    forkRepository(named: RepositoryRef, login: string): Repository {
      const { name, private: isPrivate, defaultBranch, branches } = findById(data, named)
      addAccount(data, login)
      const facts = { private: isPrivate, fork: true, defaultBranch, branches: new Map(branches) }
      return addRepository(data, login, name, facts)
    },
    async renameRepository(named: RepositoryRef, name: string): Promise<void> {
      const repository = findById(data, named)
      const former = repository.name
      move(repository, { name })
      await sendEvent(repository, 'repository', renamedEvent(scene, repository, former))
    },
    /** Moves it to an existing account. The event is sent if the App is installed there, as on GitHub. */
    async transferRepository(named: RepositoryRef, owner: string): Promise<void> {
      const repository = findById(data, named)
      const former = repository.owner
      move(repository, { owner })
      await sendEvent(repository, 'repository', transferredEvent(scene, repository, former))
    },
    async setPrivate(named: RepositoryRef, isPrivate: boolean): Promise<void> {
      const repository = Object.assign(findById(data, named), { private: isPrivate, updatedAt: new Date(data.now()) })
      await sendEvent(repository, 'repository', visibilityEvent(scene, repository))
    },
    async setDefaultBranch(named: RepositoryRef, branch: string): Promise<void> {
      const repository = findById(data, named)
      const former = repository.defaultBranch
      Object.assign(repository, { defaultBranch: branch, updatedAt: new Date(data.now()) })
      if (!repository.branches.has(branch)) repository.branches.set(branch, newSha())
      await sendEvent(repository, 'repository', defaultBranchEvent(scene, repository, former))
    },
  }
}
