import type { Activity } from '../activity/schema.ts'
import type { CollidingPair } from '../live/schema.ts'
import { bySeverity } from '../overlap/severity.ts'

/** A part of a text. A name or a path is other people's words: it is shown as text of its own direction. */
export interface SentencePart {
  text: string
  is: 'plain' | 'name' | 'path' | 'lines'
}

export const words = (text: string): SentencePart => ({ text, is: 'plain' })
export const name = (text: string): SentencePart => ({ text, is: 'name' })
export const path = (text: string): SentencePart => ({ text, is: 'path' })

/** A colliding pair that one of its sides belongs to the viewer. */
export interface OwnPair {
  pair: CollidingPair
  mine: Activity | undefined
  /** Undefined where the record is not among those that were sent. */
  theirs: Activity | undefined
  /** Whether both sides are the viewer's. */
  areBothMine: boolean
}

/** Those of members first, each worst first, of these those whose lines are known, then newest. */
export function comparePairs(a: CollidingPair, b: CollidingPair): number {
  return (
    (a.outside_ids?.length ?? 0) - (b.outside_ids?.length ?? 0) ||
    bySeverity(a, b) ||
    Number(b.lines !== null) - Number(a.lines !== null) ||
    Date.parse(b.since) - Date.parse(a.since) ||
    (a.activity_ids.join() < b.activity_ids.join() ? -1 : 1)
  )
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

/** Who and what, as the head of the page and the command line say it. */
export function headline({ pair, mine, theirs, areBothMine }: OwnPair): SentencePart[] {
  if (areBothMine) return ownHeadline(pair, mine, theirs)
  const who = theirs ? name(whoText(theirs)) : words('Somebody')
  return [who, words(` ${verb(pair)}.`)]
}

function verb({ severity, lines, example_path, areas }: CollidingPair): string {
  if (lines) return severity === 'high' ? 'changes the lines you change' : 'changes lines near yours'
  if (example_path !== null)
    return severity === 'high' ? 'works on the file you work on' : 'may change the files you change'
  return areas.length > 0 ? 'works in the area you work in' : 'may change the files you change'
}

function ownHeadline(
  { lines, example_path }: CollidingPair,
  mine: Activity | undefined,
  theirs: Activity | undefined,
): SentencePart[] {
  const what = lines ? 'the same lines' : example_path === null ? 'the same area' : 'the same file'
  const [one, other] = [mine?.agent, theirs?.agent]
  if (!one || !other || one === other) return [words(`Two works of yours change ${what}.`)]
  return [words('Your '), name(one), words(' and your '), name(other), words(` change ${what}.`)]
}

/** The advice for a collision. */
export function adviceOn({ severity, lines }: Pick<CollidingPair, 'severity' | 'lines'>): string {
  if (severity === 'high' && lines) return 'Agree who changes these lines first: git will not merge both.'
  if (severity === 'high') return 'Talk to each other before either goes on.'
  if (severity === 'medium' && lines) return 'The changes are close. Tell each other, and merge early.'
  if (severity === 'medium') return 'Tell each other which files you change.'
  return 'Stay clear of the other’s part, or mention it in the review.'
}

/** `1 activity`, `2 activities` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
