import type { Activity } from '../../activity/schema.ts'
import { outsiders } from '../../live/pair-order.ts'
import type { CollidingPair } from '../../live/schema.ts'
import { escapeGlob } from '../../scope/glob/escape.ts'
import { severityRank } from '../../sentence/collision-words.ts'
import { type LiveState, pairKey } from './live-state.ts'
import { type Place, segmentsOf } from './places.ts'

/** A colliding pair with both activities. An activity that is not in the snapshot is undefined. */
export interface ShownCollision {
  key: string
  pair: CollidingPair
  newer: Activity | undefined
  earlier: Activity | undefined
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
