import { listFor } from '../../lib/maps.ts'
import type { ComparableWork } from './changed-work.ts'
import { isHot, mostChangers } from './hot-files.ts'

/** Observed work that merges into a branch. */
interface ObservedWork {
  source: string
  /** The pull request that an activity covers, or is. */
  pull: object | null
  changed: ComparableWork | null
}

/** Hot files by base branch. */
export type HotPaths = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Which of these paths are hot for each base branch (docs/rules.md#counts). `countLive` counts the live observed work of a
 * base. It is called only where more than 5 change one of the paths.
 */
export async function findHotPaths(
  paths: readonly string[],
  candidates: readonly ObservedWork[],
  countLive: (baseBranch: string) => Promise<number>,
): Promise<HotPaths> {
  const hot = new Map<string, ReadonlySet<string>>()
  for (const [base, works] of byBase(candidates)) {
    if (works.length <= mostChangers) continue
    const byPath = new Map(paths.map((path) => [path, countChangers(path, works)]))
    if (Math.max(0, ...byPath.values()) <= mostChangers) continue
    const counts = { works: await countLive(base), byPath }
    hot.set(base, new Set(paths.filter((path) => isHot(path, counts, false))))
  }
  return hot
}

function byBase(candidates: readonly ObservedWork[]): ReadonlyMap<string, ComparableWork[]> {
  const found = new Map<string, ComparableWork[]>()
  for (const { source, pull, changed } of candidates) {
    if (changed === null || (source === 'recorded' && pull === null)) continue
    listFor(found, changed.work.baseBranch ?? '').push(changed)
  }
  return found
}

function countChangers(path: string, works: readonly ComparableWork[]): number {
  let count = 0
  for (const { byPath } of works) if (byPath.has(path)) count++
  return count
}
