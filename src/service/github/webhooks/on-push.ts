import { heartbeatBranch } from '../../records/activity/events/branch-events.ts'
import { latestCreatedAt } from '../../records/activity/events/event-time.ts'
import { markBranchSeen } from '../../records/activity/events/seen-branches.sql.ts'
import { settingsPath } from '../../records/settings/file.ts'
import { invalidateSettingsOfOwner } from '../../records/settings/invalidate-owner.sql.ts'
import { invalidateSettings } from '../../records/settings/settings-store.ts'
import { observePush } from './observe-branch.ts'
import {
  type EventRepository,
  type HandlerContext,
  type HandlerResult,
  nothingChanged,
  resolveRepository,
} from './webhook-handler.ts'
import { isSettingsOfOwner, PushEvent } from './webhook-payloads.ts'

/** GitHub lists at most this many commits of a push. A push with more may have touched any file. */
const mostCommits = 2048

/**
 * `push`: a heartbeat of the live activities on the branch. It also shows that the branch exists (docs/rules.md#pushes).
 * A push to the default branch marks the settings that it touches as stale (docs/rules.md#repository-events). Another branch may
 * be observed (docs/rules.md#pushed-branches).
 */
export async function onPush(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, now, settingsIn, forgetSettings } = context
  const event = PushEvent.parse(payload)
  const repository = await resolveRepository(event.repository, tx)
  const branch = /^refs\/heads\/(.+)$/.exec(event.ref)?.[1]
  if (repository === undefined || branch === undefined || event.deleted)
    return { ...nothingChanged, repositoryId: repository?.id }
  const { id: repositoryId, defaultBranch } = repository
  const pushedAt = event.repository.pushed_at
  // The row of the branch is locked before activities are.
  const observed = await observePush(payload, repository, { branch, pushedAt }, context)
  const times = { now, pushedAt }
  const settings = async () => (await settingsIn(tx, repositoryId)).settings
  const heartbeats = await heartbeatBranch(tx, { repositoryId, branch }, times, settings)
  const until = latestCreatedAt(pushedAt, now)
  if (heartbeats !== null) await markBranchSeen(tx, { repositoryId, branch }, { now, until })
  const counts = { ...observed.counts, heartbeats: heartbeats ?? 0 }
  const { afterwards } = observed
  if (branch !== defaultBranch || !mayTouchSettings(event)) return { repositoryId, counts, afterwards }
  return {
    repositoryId,
    counts: { ...counts, stale: await markStale(tx, repository) },
    afterwards: forgetSettings,
  }
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
