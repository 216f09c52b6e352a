import type { Activity } from '../../schemas/activity.ts'
import type { CollidingPair } from '../../schemas/live.ts'
import { issueList } from '../issue-list.ts'

/** A part of a text. Names and paths are other people's words: the page isolates their direction of writing. */
export interface SentencePart {
  text: string
  is: 'plain' | 'name' | 'path' | 'lines'
}

export const words = (text: string): SentencePart => ({ text, is: 'plain' })
export const name = (text: string): SentencePart => ({ text, is: 'name' })
export const path = (text: string): SentencePart => ({ text, is: 'path' })

/** The words of a sentence as one text, for a title, a notification or a terminal. */
export function textOf(parts: readonly SentencePart[], nameText: (text: string) => string = (text) => text): string {
  return parts.map(({ text, is }) => (is === 'name' || is === 'path' ? nameText(text) : text)).join('')
}

/** A colliding pair of which at least one side is the viewer's. */
export interface OwnPair {
  pair: CollidingPair
  mine: Activity | undefined
  /** Undefined where the record is not among those that were sent. */
  theirs: Activity | undefined
  /** Whether both sides are the viewer's. */
  areBothMine: boolean
}

/** The number of the pull request at GitHub. */
export function pullNumber({ pr_url }: Pick<Activity, 'pr_url'>): string | undefined {
  return /\/pull\/(\d+)$/.exec(pr_url ?? '')?.[1]
}

/** `Ana with claude-code` */
export function whoText({ actor, agent }: Pick<Activity, 'actor' | 'agent'>): string {
  return agent && agent !== actor ? `${actor} with ${agent}` : actor
}

/** The issues that both sides of a collision mean to close; absent in the answer of an older service. */
export interface SharedIssues {
  issues?: readonly number[]
}

/** The fields of a pair that say where the two works collide. */
export type Meeting = Pick<CollidingPair, 'example_path' | 'areas'> & SharedIssues

/** Where they collide: a file, else an issue, else areas. */
export function meetingPlace({ example_path: file, issues = [], areas }: Meeting): SentencePart[] {
  if (file !== null) return [path(file)]
  if (issues.length > 0) return [words(issueList(issues))]
  return areas.length > 0 ? [words('area '), name(areas.join(', '))] : [words('the same files')]
}

/** The advice for a collision. */
export function adviceOn({
  severity,
  lines,
  issues = [],
  same_change,
}: Pick<CollidingPair, 'severity' | 'lines' | 'same_change'> & SharedIssues): string {
  if (same_change) return 'See whether one of the two changes is enough.'
  if (severity === 'high' && lines) return 'Agree who changes these lines first: git will not merge both.'
  if (!lines && issues.length > 0) return 'Agree who closes the issue before either goes on.'
  if (severity === 'high') return 'Talk to each other before either goes on.'
  if (severity === 'medium' && lines) return 'The changes are close. Tell each other, and merge early.'
  if (severity === 'medium') return 'Tell each other which files you change.'
  return 'Stay clear of the other’s part, or mention it in the review.'
}

/** `1 activity`, `2 activities` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
