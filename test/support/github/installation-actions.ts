import { installationEvent, installationRepositoriesEvent } from './app-payloads.ts'
import type { Grants, Installation } from './data.ts'
import { covers } from './installation-of.ts'
import type { EventContext } from './payloads.ts'
import type { RepositoryRef, SendEvent } from './send-event.ts'

/** Actions of owners on installations. Each changes the data and sends the event. */
export function createInstallationActions(scene: EventContext, sendEvent: SendEvent) {
  const { data } = scene

  function suspend(installation: Installation, action: 'suspend' | 'unsuspend'): Promise<void> {
    installation.suspendedAt = action === 'suspend' ? new Date(data.now()) : null
    return sendEvent(null, 'installation', installationEvent(scene, installation, action))
  }

  return {
    /** Also revokes its tokens. */
    async uninstall(installation: Installation): Promise<void> {
      const payload = installationEvent(scene, installation, 'deleted')
      data.installations.delete(installation.id)
      await sendEvent(null, 'installation', payload)
    },
    suspend: (installation: Installation) => suspend(installation, 'suspend'),
    /** The owner approves the requested permissions of the App. */
    async acceptPermissions(installation: Installation, permissions: Grants = data.app.permissions): Promise<void> {
      installation.permissions = permissions
      await sendEvent(null, 'installation', installationEvent(scene, installation, 'new_permissions_accepted'))
    },
    unsuspend: (installation: Installation) => suspend(installation, 'unsuspend'),
    /** Limits the installation to these repositories. Sends one event for the added and one for the removed ones. */
    async chooseRepositories(installation: Installation, repositories: readonly RepositoryRef[]): Promise<void> {
      const before = [...data.repositories.values()].filter((one) => covers(installation, one)).map(({ id }) => id)
      const after = repositories.map(({ id }) => Number(id))
      installation.repositories = after
      const added = after.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !after.includes(id))
      for (const change of [{ added }, { removed }]) {
        if (Object.values(change).flat().length === 0) continue
        const payload = installationRepositoriesEvent(scene, installation, change)
        await sendEvent(null, 'installation_repositories', payload)
      }
    },
  }
}
