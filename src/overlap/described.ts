import type { KnownCollision } from './collision.ts'
import type { Findings, MatchingNotable } from './compute.ts'
import { bySeverity } from './severity.ts'

/** The two texts of an answer describe at most this many overlaps. */
export const mostDescribed = 5

export type DescribedOverlap = KnownCollision | MatchingNotable

export function isNotable(overlap: DescribedOverlap): overlap is MatchingNotable {
  return 'notable' in overlap
}

export function isCollision(overlap: DescribedOverlap): overlap is KnownCollision {
  return 'activity' in overlap
}

/**
 * The overlaps that the two texts describe, worst first; a collision comes before a notable of the same severity. The worst
 * collision, the worst notable and the newest notable about the whole repository are always among them.
 */
export function describedOverlaps({ told, notables }: Pick<Findings, 'told' | 'notables'>): DescribedOverlap[] {
  const all: DescribedOverlap[] = [...told, ...notables].sort(bySeverity)
  const always = new Set<DescribedOverlap | undefined>([
    told[0],
    notables[0],
    notables.find(({ meeting }) => meeting === null),
  ])
  const byNeed = [...all.filter((one) => always.has(one)), ...all.filter((one) => !always.has(one))]
  const chosen = new Set(byNeed.slice(0, mostDescribed))
  return all.filter((one) => chosen.has(one))
}
