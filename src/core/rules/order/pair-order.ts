import type { CollidingPair } from '../../schemas/live.ts'
import { bySeverity } from '../severity.ts'

/** The key of a pair of activities, in whichever order. */
export function keyOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/**
 * Pairs of members first, then those with a stranger, then those of two; each worst first, of one severity those whose lines
 * are known, then newest.
 */
export function comparePairs(a: CollidingPair, b: CollidingPair): number {
  return (
    outsiders(a) - outsiders(b) ||
    bySeverity(a, b) ||
    Number(b.lines !== null) - Number(a.lines !== null) ||
    descending(a.since, b.since) ||
    descending(pairKey(a), pairKey(b))
  )
}

/** The key of a pair, the same in either order. */
export function pairKey({ activity_ids: [a = '', b = ''] }: Pick<CollidingPair, 'activity_ids'>): string {
  return keyOf(a, b)
}

/** How many of the two are pull requests from outside of the project. */
function outsiders({ outside_ids = [] }: CollidingPair): number {
  return outside_ids.length
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
