/** The words of the API that several rooms use. */

export const liveStatuses = ['planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review'] as const
export const endedStatuses = ['merged', 'abandoned', 'archived', 'expired'] as const
export const activityStatuses = [...liveStatuses, ...endedStatuses] as const
export type ActivityStatus = (typeof activityStatuses)[number]

export function isLiveStatus(status: string): status is (typeof liveStatuses)[number] {
  return liveStatuses.some((one) => one === status)
}

/** Of risks and of importances. */
export const levels = ['low', 'medium', 'high', 'critical'] as const
export type Level = (typeof levels)[number]

export const archivedReasons = ['merged', 'closed', 'branch_deleted', 'expired', 'caller'] as const
export const activitySources = ['recorded', 'pull_request'] as const
export const notableStatuses = ['active', 'archived', 'expired'] as const

export const categories = [
  'architecture',
  'process',
  'pattern',
  'warning',
  'migration',
  'testing',
  'security',
  'dependency',
  'api-contract',
  'temporary-workaround',
  'deprecation',
  'release',
] as const
export type Category = (typeof categories)[number]

export const fileStatuses = ['added', 'modified', 'removed', 'renamed'] as const

export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

export const meetingKinds = ['lines', 'file', 'globs', 'issue', 'area'] as const
export type MeetingKind = (typeof meetingKinds)[number]

export const relationships = ['own', 'stacked', 'collision'] as const
export type Relationship = (typeof relationships)[number]

/** What keeps an answer from being clear. */
export const obstacles = ['collision', 'notable', 'nothing_named', 'not_read', 'near', 'cut'] as const
export type Obstacle = (typeof obstacles)[number]

export const readingStates = ['current', 'reading', 'stale', 'unavailable', 'off'] as const
export type ReadingState = (typeof readingStates)[number]

/** Which pull requests get a check run: all, those that are no draft, or none. */
export const reportKinds = ['check', 'ready', 'off'] as const
export const reportStates = ['on', 'off', 'permission_missing'] as const

export const appStates = ['absent', 'not_installed', 'installed', 'suspended'] as const
