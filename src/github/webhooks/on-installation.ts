import { invalidateSettingsOfOwner } from '../../settings/invalidate-owner.sql.ts'
import { type HandlerContext, type HandlerResult, nothingChanged } from './webhook-handler.ts'
import { InstallationEvent } from './webhook-payloads.ts'

/**
 * `installation` and `installation_repositories`: the App may read other repositories of the account than before
 * (docs/rules.md#repository-events).
 */
export async function onInstallation(
  payload: unknown,
  { tx, access, forgetSettings }: HandlerContext,
): Promise<HandlerResult> {
  const owner = InstallationEvent.parse(payload).installation?.account?.login
  if (owner === undefined) return nothingChanged
  const stale = await invalidateSettingsOfOwner(tx, owner)
  return {
    counts: { stale },
    afterwards() {
      access.forgetOwner(owner)
      forgetSettings()
    },
  }
}
