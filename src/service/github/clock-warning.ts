import type { Log } from '../lib/log.ts'
import type { EmitEvent } from '../lib/service-events.ts'
import { eventToleranceMs } from '../records/activity/events/event-time.ts'

/** How often the warning is repeated, in ms. */
const repeatMs = 3_600_000

/** Warns if the time of GitHub's responses and ours differ by more than the rules for late events allow. */
export function createClockWarning({ log, now }: { log: Log; now: () => Date }): EmitEvent {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (event) => {
    if (event.kind !== 'github_call' || event.call.serverTime === null) return
    const time = now().getTime()
    const aheadMs = time - event.call.serverTime
    if (Math.abs(aheadMs) <= eventToleranceMs || Math.abs(time - loggedAt) < repeatMs) return
    loggedAt = time
    log.warn({ ahead_seconds: Math.round(aheadMs / 1_000) }, "the clock of the database differs from GitHub's")
  }
}
