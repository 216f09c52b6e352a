import { installationEvent, installationRepositoriesEvent } from './app-payloads.ts'
import { covers } from './installed.ts'
import type { Scene } from './payloads.ts'
import type { Named, Tell } from './tell.ts'
import type { Installation } from './world.ts'

/** What owners do with the App: each changes the world, and then tells the App. */
export function createInstallationVerbs(scene: Scene, tell: Tell) {
  const { world } = scene

  function suspend(installation: Installation, action: 'suspend' | 'unsuspend'): Promise<void> {
    installation.suspendedAt = action === 'suspend' ? new Date(world.now()) : null
    return tell(null, 'installation', installationEvent(scene, installation, action))
  }

  return {
    /** Ends its tokens as well. */
    async uninstall(installation: Installation): Promise<void> {
      const payload = installationEvent(scene, installation, 'deleted')
      world.installations.delete(installation.id)
      await tell(null, 'installation', payload)
    },
    suspend: (installation: Installation) => suspend(installation, 'suspend'),
    unsuspend: (installation: Installation) => suspend(installation, 'unsuspend'),
    /** From now on these repositories alone: what came and what left is told apart. */
    async chooseRepositories(installation: Installation, repositories: readonly Named[]): Promise<void> {
      const before = [...world.repositories.values()].filter((one) => covers(installation, one)).map(({ id }) => id)
      const after = repositories.map(({ id }) => Number(id))
      installation.repositories = after
      const added = after.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !after.includes(id))
      for (const change of [{ added }, { removed }]) {
        if (Object.values(change).flat().length === 0) continue
        const payload = installationRepositoriesEvent(scene, installation, change)
        await tell(null, 'installation_repositories', payload)
      }
    },
  }
}
