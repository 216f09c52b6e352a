import { namesOfFullName } from '../../../core/repository-names.ts'
import { forgetObservedWork } from '../../observed/forget.sql.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import { invalidateSettingsOfOwner } from '../../records/settings/invalidate-owner.sql.ts'
import { saveGrant } from '../../report/grants.sql.ts'
import { type HandlerContext, type HandlerResult, nothingChanged } from './webhook-handler.ts'
import { InstallationEvent } from './webhook-payloads.ts'

/**
 * `installation` and `installation_repositories`: the App may read other repositories of the account than before
 * (docs/rules.md#repository-events). Uninstalling ends all observed work; recorded work stays.
 */
export async function onInstallation(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, access, forgetSettings, observer } = context
  const event = InstallationEvent.parse(payload)
  const owner = event.installation?.account?.login
  if (owner === undefined) return nothingChanged
  const ended = await endObservedWork(event, context)
  await observeAdded(event, context)
  await saveGrantOf(event, context)
  const stale = await invalidateSettingsOfOwner(tx, owner)
  return {
    counts: { stale, ended },
    afterwards() {
      access.forgetOwner(owner)
      forgetSettings()
      observer?.listRepositories({ discover: findsMore.has(event.action) })
      observer?.writeReports()
    },
  }
}

/** Events after which the App may read repositories that the event does not name. */
const findsMore = new Set(['unsuspend', 'new_permissions_accepted'])

async function endObservedWork(event: InstallationEvent, { tx, now }: HandlerContext): Promise<number> {
  const removed = [
    ...(event.action === 'deleted' ? (event.repositories ?? []) : []),
    ...(event.repositories_removed ?? []),
  ]
  let ended = 0
  for (const id of idsOf(removed)) ended += await forgetObservedWork(tx, id, now)
  return ended
}

/** The repositories are listed by a job. */
async function observeAdded(event: InstallationEvent, { tx, now, observer }: HandlerContext): Promise<void> {
  if (!observer) return
  const named = event.action === 'created' || event.action === 'new_permissions_accepted' ? event.repositories : []
  const added = [...(named ?? []), ...(event.repositories_added ?? [])]
  const repositories = added.flatMap(({ id, full_name = '', private: isPrivate }) => {
    const names = namesOfFullName(full_name)
    const isPublic = isPrivate === undefined ? undefined : !isPrivate
    return id !== undefined && names ? { id, ...names, defaultBranch: null, isPublic } : []
  })
  await observeByApp(tx, repositories, now)
}

/** Whether the App may write check runs in the repositories that the event names. Others are found by the list job. */
async function saveGrantOf(event: InstallationEvent, { tx, now, observer }: HandlerContext): Promise<void> {
  const { permissions, html_url: url = null } = event.installation ?? {}
  if (!observer || permissions === undefined || event.action === 'deleted') return
  const ids = idsOf([...(event.repositories ?? []), ...(event.repositories_added ?? [])])
  await saveGrant(tx, ids, { mayWriteChecks: permissions.checks === 'write', url }, now)
}

function idsOf(repositories: readonly { id: bigint | undefined }[]): bigint[] {
  return repositories.flatMap(({ id }) => id ?? []).sort((a, b) => (a < b ? -1 : 1))
}
