import { type Findings, type LoadedCollision, type MatchingNotable, staleLast } from '../findings.ts'
import { bySeverity } from '../severity.ts'

/** Each text of a response describes at most this many overlaps, and a line names at most this many ids or labels. */
export const mostDescribed = 5

export type DescribedOverlap = LoadedCollision | MatchingNotable

export function isNotable(overlap: DescribedOverlap): overlap is MatchingNotable {
  return 'notable' in overlap
}

export function isCollision(overlap: DescribedOverlap): overlap is LoadedCollision {
  return 'activity' in overlap
}

/**
 * The overlaps that the two texts describe, worst first, and stale ones last. A collision comes before a notable of the
 * same severity. The worst collision, the worst notable and the newest notable about the whole repository are always
 * among them.
 */
export function describedOverlaps({ loaded, notables }: Pick<Findings, 'loaded' | 'notables'>): DescribedOverlap[] {
  const all: DescribedOverlap[] = [...loaded, ...notables].sort((a, b) => staleLast(a, b) || bySeverity(a, b))
  const always = new Set<DescribedOverlap | undefined>([
    loaded[0],
    notables[0],
    notables.find(({ overlap }) => overlap === null),
  ])
  const byNeed = [...all.filter((one) => always.has(one)), ...all.filter((one) => !always.has(one))]
  const chosen = new Set(byNeed.slice(0, mostDescribed))
  return all.filter((one) => chosen.has(one))
}
