import type { Activity } from '../../activity/schema.ts'
import { type Severity, severities } from '../../enums.ts'
import { outsiders } from '../../live/pair-order.ts'
import type { CollidingPair } from '../../live/schema.ts'
import { escapeGlob } from '../../scope/glob/escape.ts'
import { type LiveState, pairKey } from './live-state.ts'
import { type Place, segmentsOf } from './places.ts'

/** A colliding pair with both activities. An activity that is not in the snapshot is undefined. */
export interface ShownCollision {
  key: string
  pair: CollidingPair
  newer: Activity | undefined
  earlier: Activity | undefined
}

/** 0 for no collision. A higher severity has a higher rank. */
export function severityRank(severity: Severity | undefined): number {
  return severity === undefined ? 0 : severities.indexOf(severity) + 1
}

/** All pairs: those of members first, each worst first, then newest. */
export function collisionList({
  collisions,
  activities,
}: Pick<LiveState, 'collisions' | 'activities'>): ShownCollision[] {
  return [...collisions.values()]
    .map((pair) => {
      const [newer = '', earlier = ''] = pair.activity_ids
      return { key: pairKey(pair), pair, newer: activities.get(newer), earlier: activities.get(earlier) }
    })
    .sort(
      (a, b) =>
        outsiders(a.pair) - outsiders(b.pair) ||
        severityRank(b.pair.severity) - severityRank(a.pair.severity) ||
        Date.parse(b.pair.since) - Date.parse(a.pair.since) ||
        (a.key < b.key ? -1 : 1),
    )
}

/** How far the work is compared; undefined where all of it is. Only then the absence of a collision says something. */
export function comparingText({ isComplete, activities, truncated, collisions }: LiveState): string | undefined {
  if (isComplete) return undefined
  const found = `${collisions.size} found so far`
  if (truncated.activities) return `More than ${activities.size} activities: not all are compared, ${found}.`
  return `Comparing ${activities.size} ${activities.size === 1 ? 'activity' : 'activities'}, ${found}.`
}

/** The pairs of which at least one is among these activities. */
export function collisionsAmong(
  collisions: readonly ShownCollision[],
  activities: readonly Activity[],
): ShownCollision[] {
  const ids = new Set(activities.map(({ id }) => id))
  return collisions.filter(({ pair }) => pair.activity_ids.some((id) => ids.has(id)))
}

/**
 * Where the two activities collide: the file, or its directory where the file is only an example, since no glob
 * contains its name.
 */
export function collisionPlace({ pair, newer, earlier }: ShownCollision): Place | undefined {
  const { example_path: path, lines } = pair
  if (path === null) return undefined
  const segments = segmentsOf(path)
  const name = escapeGlob(segments.at(-1) ?? '')
  const globs = [newer, earlier].flatMap((activity) => activity?.scope.paths ?? [])
  const isReal = lines !== null || globs.some((glob) => `/${glob}`.endsWith(`/${name}`))
  return { segments: isReal ? segments : segments.slice(0, -1), isFile: isReal }
}

/** `lines 120–164, 180` */
export function linesText(lines: readonly (readonly [number, number])[] | null, most = 3): string {
  if (!lines || lines.length === 0) return ''
  const shown = lines.slice(0, most).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  const more = lines.length > most ? ` and ${lines.length - most} more` : ''
  const [only] = lines
  const word = lines.length === 1 && only?.[0] === only?.[1] ? 'line' : 'lines'
  return `${word} ${shown.join(', ')}${more}`
}

/** The advice for a collision. */
export function adviceOn({ severity, lines }: CollidingPair): string {
  if (severity === 'high' && lines) return 'Agree who changes these lines first: git will not merge both.'
  if (severity === 'high') return 'Talk to each other before either goes on.'
  if (severity === 'medium' && lines) return 'The changes are close. Tell each other, and merge early.'
  if (severity === 'medium') return 'Tell each other which files you change.'
  return 'Stay clear of the other’s part, or mention it in the review.'
}
