import type { Activity } from '../../schemas/activity.ts'
import type { CollidingPair } from '../../schemas/live.ts'

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

/** `120–164, 180` */
export function rangesText(lines: readonly (readonly [number, number])[], most = 3): string {
  const shown = lines.slice(0, most).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  return `${shown.join(', ')}${lines.length > most ? ` and ${lines.length - most} more` : ''}`
}

/** `lines 120–164, 180`; empty where none are known. */
export function linesText(lines: readonly (readonly [number, number])[] | null, most = 3): string {
  if (!lines || lines.length === 0) return ''
  const [only] = lines
  return `${lines.length === 1 && only?.[0] === only?.[1] ? 'line' : 'lines'} ${rangesText(lines, most)}`
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

/** `issue #42`, `issues #42, #57 and 3 more` */
export function issuesText(issues: readonly number[], most = 2): string {
  const shown = issues.slice(0, most).map((issue) => `#${issue}`)
  const more = issues.length > most ? ` and ${issues.length - most} more` : ''
  return `${issues.length === 1 ? 'issue' : 'issues'} ${shown.join(', ')}${more}`
}

/** The fields of a pair that say where the two works collide. */
export type Meeting = Pick<CollidingPair, 'example_path' | 'areas'> & SharedIssues

/** Where they collide: a file, else an issue, else areas. */
export function meetingPlace({ example_path: file, issues = [], areas }: Meeting): SentencePart[] {
  if (file !== null) return [path(file)]
  if (issues.length > 0) return [words(issuesText(issues))]
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
