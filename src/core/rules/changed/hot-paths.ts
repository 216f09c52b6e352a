import { listFor } from '../../lib/maps.ts'
import { runInSlices, type WorkBudget } from '../../scope/match/work-budget.ts'
import type { ComparableWork } from './changed-work.ts'

/** Observed work that merges into a branch. */
interface ObservedWork {
  source: string
  /** The pull request that an activity covers, or is. */
  pull: object | null
  changed: ComparableWork | null
}

/** A file that at most this many other works change is not hot. */
const mostChangers = 5

/** Whether a file is hot: `changers` of the `works` others of its base branch change it. */
export function isHot(changers: number, works: number): boolean {
  return changers > mostChangers && changers > works * 0.05
}

/** Hot files by base branch. */
export type HotPaths = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Which of these paths are hot for each base branch (docs/rules.md#counts). `countLive` counts the live observed work of a
 * base. It is called only where more than 5 change one of the paths. Without the budget to count, none is hot.
 */
export async function findHotPaths(
  paths: readonly string[],
  candidates: readonly ObservedWork[],
  countLive: (baseBranch: string) => Promise<number>,
  work: WorkBudget,
): Promise<HotPaths> {
  const hot = new Map<string, ReadonlySet<string>>()
  const asked = new Set(paths)
  for (const [base, works] of byBase(candidates)) {
    if (works.length <= mostChangers) continue
    const byPath = await runInSlices(countChangers(asked, works, work), work)
    if (byPath === 'undecided') return new Map()
    if (Math.max(0, ...byPath.values()) <= mostChangers) continue
    const live = await countLive(base)
    hot.set(base, new Set(paths.filter((path) => isHot(byPath.get(path) ?? 0, live))))
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

/** How many of these works change each of the paths. */
function* countChangers(
  paths: ReadonlySet<string>,
  works: readonly ComparableWork[],
  work: WorkBudget,
): Generator<void, Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { byPath } of works) {
    const [fewer, more] = paths.size < byPath.size ? [paths, byPath] : [byPath, paths]
    for (const path of fewer.keys()) if (more.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1)
    work.steps += 2 * fewer.size
    if (work.steps >= work.sliceEnd) yield
  }
  return counts
}
