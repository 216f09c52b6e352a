import { tolerance } from '../../records/activity/events/event-time.ts'

const minute = 60_000
const hour = 60 * minute
/** GitHub's API may show a change a moment after its webhook. */
const behindMs = 5_000

/**
 * When a reading is tried again: after a minute, then after twice as long each time, up to an hour. Sooner at first if it did
 * not fail, and GitHub only showed an older state than a webhook.
 */
export function retryAt(triedBefore: number, now: Date, isBehind = false): Date {
  const first = isBehind ? behindMs : minute
  return new Date(now.getTime() + Math.min(first * 2 ** Math.min(triedBefore, 20), hour))
}

/** How often all open pull requests are listed, in ms. */
const walkEveryMs = 24 * hour

/** GitHub's clock may differ from ours, and its lists lag. */
const clockDifferenceMs = 5 * minute

/** Whether all open pull requests are to be listed, and not only those that were updated. */
export function isWalkDue({ walked_at, newest_updated_at }: WalkState, now: Date): boolean {
  return walked_at === null || newest_updated_at === null || now.getTime() - walked_at.getTime() >= walkEveryMs
}

/**
 * Since when updated pull requests are listed: since the last list, whose end GitHub may still have been adding to. A list of
 * all open ones goes back further only for merges of live recorded work, and so does that of a repository where nothing is
 * observed, which needs no more.
 */
export function updatesSince({ state, oldestWork, began, isObserved, isWalk }: UpdatesAsked): Date {
  const last = isObserved ? state.newest_updated_at : state.listed_at
  const sinceLast = last === null ? 0 : last.getTime() - clockDifferenceMs
  if (isObserved && !isWalk) return new Date(sinceLast)
  const ofWork = oldestWork === null ? began.getTime() : Math.max(oldestWork.getTime() - tolerance, sinceLast)
  return new Date(isWalk ? Math.min(began.getTime() - clockDifferenceMs, ofWork) : ofWork)
}

interface UpdatesAsked {
  state: { newest_updated_at: Date | null; listed_at: Date | null }
  /** When the oldest live recorded work was created; null without any. */
  oldestWork: Date | null
  began: Date
  isObserved: boolean
  /** Whether all open pull requests are listed too. */
  isWalk: boolean
}

export interface WalkState {
  walked_at: Date | null
  newest_updated_at: Date | null
}

/**
 * Up to when the updates of a repository are known: the newest `updated_at` that was listed, but not long before the
 * list was read. In a quiet repository the newest update may be years old, and what ended since would be listed again
 * and again.
 */
export function newestKnown(listed: readonly { updatedAt: Date }[], former: Date | null, began: Date): Date {
  const times = listed.map(({ updatedAt }) => updatedAt.getTime())
  return new Date(Math.max(began.getTime() - hour, former?.getTime() ?? 0, ...times))
}
