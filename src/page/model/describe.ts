import type { Activity } from '../../activity/schema.ts'
import type { LiveStatus } from '../../enums.ts'
import type { CollidingPair } from '../../live/schema.ts'
import { whoText } from '../../sentence/collision-words.ts'

/** `Ana, Rework the login` */
export function activityName(activity: Activity): string {
  return `${whoText(activity)}, ${activity.title}`
}

const statusWords: Record<LiveStatus, string> = {
  planned: 'Planned',
  active: 'Active',
  paused: 'Paused',
  blocked: 'Blocked',
  'draft-pr-open': 'Draft',
  'ready-for-review': 'In review',
}

/** A live status as a word for people. An ended status is not changed. */
export function statusWord(status: Activity['status']): string {
  return statusWords[status as LiveStatus] ?? status
}

export const statusOptions = Object.entries(statusWords)

export const sourceWords = {
  recorded: 'Recorded',
  pull_request: 'Pull request',
  branch: 'Pushed branch',
} as const satisfies Record<Activity['source'], string>

/** Everything about a pair in one line, for the name of its buttons. */
export function pairName({ newer, earlier }: { newer: Activity | undefined; earlier: Activity | undefined }): string {
  return [newer, earlier].map((activity) => activity?.title ?? 'other work').join(' and ')
}

/** Where the work collides: the file, else the shared areas. */
export function placeOfPair({ example_path, areas }: CollidingPair): { path: string | null; areas: readonly string[] } {
  return { path: example_path, areas: example_path === null ? areas : [] }
}
