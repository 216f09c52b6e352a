import type { Glob } from '../glob/glob.ts'
import type { PathPattern } from '../glob/path-pattern.ts'
import { belowFile, type Intersection, mayStandForFile } from './intersection.ts'
import { headsAgree, tailsAgree } from './literal-ends.ts'
import { segmentsIntersect } from './segments.ts'
import { sequenceBefore, sequencesIntersect } from './wildcard-sequence.ts'
import { isUsedUp, unlimitedBudget, type WorkBudget } from './work-budget.ts'

/**
 * Where two globs share a path: one that is not below a file if there is one. Null where they share none, and where the
 * budget is used up before that is known.
 */
export function intersect(a: Glob, b: Glob, budget = unlimitedBudget()): Intersection | null {
  budget.steps += 1 + stepsOfHeads(a, b)
  if (!headsAgree(a.head, b.head)) return null
  if (!a.endsInFile && !b.endsInFile && !tailsAgree(a.tail, b.tail)) return null
  // The result does not depend on the order of the two.
  const [first, second] = a.text <= b.text ? [a, b] : [b, a]
  const found = findPair(first, second, budget, (x, y) =>
    sequencesIntersect(x, y, segmentsIntersect, budget) ? [{ a: x, b: y }] : null,
  )
  if (found || (!a.endsInFile && !b.endsInFile)) return found
  return findPair(first, second, budget, (x, y) => findBelowFile(x, y, budget) ?? findBelowFile(y, x, budget))
}

/** What is found for the first pair of alternatives for which there is something. */
function findPair(
  a: Glob,
  b: Glob,
  budget: WorkBudget,
  find: (x: PathPattern, y: PathPattern) => Intersection | null,
): Intersection | null {
  const pairs = a.patterns.length * b.patterns.length
  budget.steps += (pairs >>> 2) + pairs * stepsOfHeads(a, b)
  for (const x of a.patterns) {
    for (const y of b.patterns) {
      const found = headsAgree(x.head, y.head) ? find(x, y) : null
      if (found || isUsedUp(budget)) return found
    }
  }
  return null
}

/** Long heads that agree take longer to compare. */
function stepsOfHeads(a: Glob, b: Glob): number {
  return Math.min(a.head.length, b.head.length) >>> 4
}

/** Where a path below the file of one pattern matches the other. */
function findBelowFile(pattern: PathPattern, other: PathPattern, budget: WorkBudget): Intersection | null {
  const { file } = pattern
  if (file === null) return null
  budget.steps += other.items.length >>> 1
  for (let i = 0; i < other.items.length; i++) {
    const segment = other.items[i]
    if (!segment || !mayStandForFile(other, i) || !segmentsIntersect(file, segment, budget)) continue
    budget.steps += pattern.items.length + other.items.length
    const [before, otherBefore] = [sequenceBefore(pattern, pattern.items.length - 1), sequenceBefore(other, i)]
    if (sequencesIntersect(before, otherBefore, segmentsIntersect, budget)) return belowFile(pattern, other, i)
    if (isUsedUp(budget)) return null
  }
  return null
}
