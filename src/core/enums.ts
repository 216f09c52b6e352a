/** Enums of the API that several folders use (docs/rules.md#shapes). */

export const liveStatuses = ['planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review'] as const
export const endedStatuses = ['merged', 'abandoned', 'archived', 'expired'] as const
export const activityStatuses = [...liveStatuses, ...endedStatuses] as const
export type LiveStatus = (typeof liveStatuses)[number]
export type ActivityStatus = (typeof activityStatuses)[number]

export const risks = ['low', 'medium', 'high', 'critical'] as const

/** How the issues of a work are known if nobody stated them: `branch` is the name of its branch. */
export const issueSources = ['branch'] as const

export const archivedReasons = ['merged', 'closed', 'branch_deleted', 'expired', 'caller'] as const

/** How the service knows of an activity: a caller recorded it, or GitHub shows it. */
export const activitySources = ['recorded', 'pull_request', 'branch'] as const

export const notableStatuses = ['active', 'archived', 'expired'] as const
export type NotableStatus = (typeof notableStatuses)[number]

export const importances = ['low', 'medium', 'high', 'critical'] as const
export type Importance = (typeof importances)[number]

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

export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

/** `open_already`: others began the same change before. `repeats`: they began it after you. `part`: they make a part of yours. */
export const sameChangeKinds = ['open_already', 'repeats', 'part'] as const
export type SameChangeKind = (typeof sameChangeKinds)[number]

/**
 * What a line of a check's texts is about (docs/rules.md#overlap-messages). `nearby`: work that does not collide, or that there is
 * none. `unknown`: what was not compared. `advice`: what to do next.
 */
export const messageKinds = ['collision', 'notable', 'nearby', 'unknown', 'advice'] as const
export type MessageKind = (typeof messageKinds)[number]

/** What keeps the answer of a check from being clear (docs/rules.md#clear). */
export const obstacles = [
  'collision',
  'notable',
  'nothing_named',
  'cut_off',
  'unread',
  'wide_paths',
  'proposals',
] as const
export type Obstacle = (typeof obstacles)[number]

/** Narrows a text of the database to a word of the list. Throws if it is none; a constraint prevents that. */
export function enumValue<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw new Error(`The database has a value that is not one of ${words.join(', ')}`)
  return word
}
