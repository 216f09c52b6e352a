import { latestCreatedAt } from '../../activity/event-time.ts'
import { heartbeatBranch } from '../../activity/heartbeat-branch.ts'
import { settingsPath } from '../../settings/file.ts'
import { invalidateSettingsOfOwner } from '../../settings/invalidate-owner.sql.ts'
import { invalidateSettings } from '../../settings/store.ts'
import { markBranchSeen } from '../recovery/seen-branches-store.ts'
import {
  type EventRepository,
  type HandlerContext,
  type HandlerResult,
  nothingChanged,
  resolveRepository,
} from './webhook-handler.ts'
import { isSettingsOfOwner, PushEvent } from './webhook-payloads.ts'

/** GitHub lists this many commits of a push at most: beyond them it may have touched anything. */
const mostCommits = 2048

/**
 * `push`: a heartbeat of the live activities on the branch, which is known to exist from then on
 * (docs/rules.md#pushes). On the default branch it marks the settings that it touches as stale
 * (docs/rules.md#repository-events).
 */
export async function onPush(
  payload: unknown,
  { tx, now, settingsIn, forgetSettings }: HandlerContext,
): Promise<HandlerResult> {
  const event = PushEvent.parse(payload)
  const subject = await resolveRepository(event.repository, tx)
  const branch = /^refs\/heads\/(.+)$/.exec(event.ref)?.[1]
  if (subject === undefined || branch === undefined || event.deleted)
    return { ...nothingChanged, repositoryId: subject?.id }
  const { id: repositoryId, defaultBranch } = subject
  const beaten = await heartbeatBranch(tx, { repositoryId, branch }, now, () => settingsIn(tx, repositoryId))
  const until = latestCreatedAt(event.repository.pushed_at, now)
  if (beaten > 0) await markBranchSeen(tx, { repositoryId, branch }, { now, until })
  if (branch !== defaultBranch || !mayTouchSettings(event)) return { repositoryId, counts: { beaten } }
  return { repositoryId, counts: { beaten, stale: await markStale(tx, subject) }, afterwards: forgetSettings }
}

async function markStale(tx: HandlerContext['tx'], { id, names }: EventRepository): Promise<number> {
  const own = await invalidateSettings(tx, id)
  return names && isSettingsOfOwner(names) ? own + (await invalidateSettingsOfOwner(tx, names.owner)) : own
}

function mayTouchSettings({ commits, forced }: PushEvent): boolean {
  if (!commits || forced || commits.length >= mostCommits) return true
  return commits.some(({ added = [], modified = [], removed = [] }) =>
    [added, modified, removed].some((paths) => paths.includes(settingsPath)),
  )
}
