import { markOwnersSettingsStale } from '../../settings/stale-store.ts'
import { type Handled, type Handling, nothing } from './webhook-handler.ts'
import { InstallationEvent } from './webhook-payloads.ts'

/** `installation` and `installation_repositories`: what the App may read has changed for that account (decisions §10). */
export async function onInstallation(payload: unknown, { tx, access, forgetSettings }: Handling): Promise<Handled> {
  const owner = InstallationEvent.parse(payload).installation?.account?.login
  if (owner === undefined) return nothing
  const stale = await markOwnersSettingsStale(tx, owner)
  return {
    counts: { stale },
    afterwards() {
      access.forgetOwner(owner)
      forgetSettings()
    },
  }
}
