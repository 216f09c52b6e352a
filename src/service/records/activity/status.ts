import { type ActivityStatus, activityStatuses, type LiveStatus, liveStatuses } from '../../../core/enums.ts'

const live: ReadonlySet<string> = new Set(liveStatuses)

export function isLive(status: ActivityStatus): status is LiveStatus {
  return live.has(status)
}

const fromLive: readonly ActivityStatus[] = [...liveStatuses, 'merged', 'abandoned', 'archived']

/** The moves that a PATCH may request (docs/rules.md#status-transitions). */
const moves = {
  planned: fromLive,
  active: fromLive,
  paused: fromLive,
  blocked: fromLive,
  'draft-pr-open': fromLive,
  'ready-for-review': fromLive,
  merged: ['archived'],
  abandoned: ['archived'],
  expired: ['archived'],
  archived: [],
} as const satisfies Record<ActivityStatus, readonly ActivityStatus[]>

/** The statuses that a PATCH may set, other than the current one. */
export function allowedMoves(from: ActivityStatus): ActivityStatus[] {
  const targets: readonly ActivityStatus[] = moves[from]
  return activityStatuses.filter((status) => status !== from && targets.includes(status))
}

/** Whether a PATCH may set this status. The current one is allowed and changes nothing. */
export function mayMove(from: ActivityStatus, to: ActivityStatus): boolean {
  return from === to || allowedMoves(from).includes(to)
}
