import { eventToleranceMs } from '../../records/activity/events/event-time.ts'

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

/** How often all open pull requests are listed (a full list), in ms. Other lists have only those that were updated. */
const fullListEveryMs = 24 * hour

/** GitHub's clock may differ from ours, and its lists lag. */
const clockDifferenceMs = 5 * minute

/** Whether all open pull requests are to be listed, and not only those that were updated. */
export function isFullListDue({ walked_at, newest_updated_at }: ListTimes, now: Date): boolean {
  return walked_at === null || newest_updated_at === null || now.getTime() - walked_at.getTime() >= fullListEveryMs
}

/**
 * Since when updated pull requests are listed. Usually since the last list, and some minutes before it, as GitHub's lists lag. A
 * full list has all open ones: it needs updates only for what ended while it was read, and for merges of live recorded work. A
 * repository where nothing is observed needs only those merges.
 */
export function updatesSince({ state, oldestWork, began, isObserved, isFullList }: UpdatesAsked): Date {
  const last = isObserved ? state.newest_updated_at : state.listed_at
  const sinceLast = last === null ? 0 : last.getTime() - clockDifferenceMs
  if (isObserved && !isFullList) return new Date(sinceLast)
  const ofWork = oldestWork === null ? began.getTime() : Math.max(oldestWork.getTime() - eventToleranceMs, sinceLast)
  return new Date(isFullList ? Math.min(began.getTime() - clockDifferenceMs, ofWork) : ofWork)
}

interface UpdatesAsked {
  state: { newest_updated_at: Date | null; listed_at: Date | null }
  /** When the oldest live recorded work was created; null without any. */
  oldestWork: Date | null
  began: Date
  isObserved: boolean
  /** Whether all open pull requests are listed too. */
  isFullList: boolean
}

export interface ListTimes {
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
