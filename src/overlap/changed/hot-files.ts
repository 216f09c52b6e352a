import type { ComparableWork } from './changed-work.ts'

/** How many pieces of live observed work with one base branch change each path. */
export interface PathCounts {
  works: number
  byPath: ReadonlyMap<string, number>
}

export function countPaths(works: readonly ComparableWork[]): PathCounts {
  const byPath = new Map<string, number>()
  for (const work of works) for (const path of work.byPath.keys()) byPath.set(path, (byPath.get(path) ?? 0) + 1)
  return { works: works.length, byPath }
}

/** So many others may change a file before it can be hot. */
export const mostChangers = 5

/**
 * Whether a path is changed by more than 5 others, and more than 5 % of them, than the work that is compared.
 * `isCounted`: whether that is among the counted.
 */
export function isHot(path: string, counts: PathCounts, isCounted: boolean): boolean {
  const self = isCounted ? 1 : 0
  const others = (counts.byPath.get(path) ?? 0) - self
  return others > mostChangers && others > (counts.works - self) * 0.05
}
