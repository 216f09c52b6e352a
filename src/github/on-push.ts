import { beatBranch } from '../activity/beat-branch.ts'
import { markOwnersSettingsStale, markSettingsStale } from '../settings/stale-store.ts'
import { type Handled, type Handling, nothing, repositoryIdOf } from './delivery.ts'
import { namesOf, PushEvent } from './webhook-facts.ts'

const settingsPath = '.github/headsup.yml'
/** GitHub lists this many commits of a push at most: beyond them it may have touched anything. */
const mostCommits = 2048

/**
 * `push`: a heartbeat of the live work on that branch; on the default branch, settings that it touches are stale
 * (decisions §10).
 */
export async function onPush(payload: unknown, handling: Handling): Promise<Handled> {
  const event = PushEvent.parse(payload)
  const repositoryId = await repositoryIdOf(event.repository, handling.tx)
  const branch = /^refs\/heads\/(.+)$/.exec(event.ref)?.[1]
  if (repositoryId === undefined || branch === undefined || event.deleted) return { ...nothing, repositoryId }
  const { tx, now, settingsIn } = handling
  const stale = await settingsStale(event, repositoryId, branch, handling)
  const beaten = await beatBranch(tx, { repositoryId, branch }, now, () => settingsIn(tx, repositoryId))
  return { repositoryId, counts: { beaten, stale }, ...(stale > 0 ? { afterwards: handling.forgetSettings } : {}) }
}

async function settingsStale(
  event: PushEvent,
  repositoryId: bigint,
  branch: string,
  { tx }: Handling,
): Promise<number> {
  if (branch !== event.repository.default_branch || !mayTouchSettings(event)) return 0
  const names = namesOf(event.repository)
  const own = await markSettingsStale(tx, repositoryId)
  return names?.name.toLowerCase() === '.github' ? own + (await markOwnersSettingsStale(tx, names.owner)) : own
}

function mayTouchSettings({ commits, forced }: PushEvent): boolean {
  if (!commits || forced || commits.length >= mostCommits) return true
  return commits.some(({ added = [], modified = [], removed = [] }) =>
    [added, modified, removed].some((paths) => paths.includes(settingsPath)),
  )
}
