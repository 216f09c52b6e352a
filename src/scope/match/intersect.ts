import type { Glob } from '../glob/glob.ts'
import type { PathPattern } from '../glob/path-pattern.ts'
import { intersectLarge } from './intersect-large.ts'
import { belowFile, type Intersection, mayStandForFile } from './intersection.ts'
import { headsAgree, tailsAgree } from './literal-ends.ts'
import { segmentsIntersect } from './segments.ts'
import { sequenceBefore, sequencesIntersect } from './wildcard-sequence.ts'
import { runToEnd, unlimitedBudget, type WorkBudget } from './work-budget.ts'

/** Above this product of sizes, all alternatives of one glob are matched together, by an automaton. */
const LARGE = 2 ** 18

/** Where two globs share a path: one that is not below a file if there is one. Null where they share none. */
export function intersect(a: Glob, b: Glob): Intersection | null {
  const found = startIntersecting(a, b, unlimitedBudget())
  return found !== null && 'next' in found ? runToEnd(found) : found
}

/** `intersect` for a small pair of globs. For a large one a generator that yields at the end of each slice. */
export function startIntersecting(
  a: Glob,
  b: Glob,
  budget: WorkBudget,
): Intersection | null | Generator<void, Intersection | null> {
  budget.steps += 1 + stepsOfHeads(a, b)
  if (!headsAgree(a.head, b.head)) return null
  if (!a.endsInFile && !b.endsInFile && !tailsAgree(a.tail, b.tail)) return null
  // The result does not depend on the order of the two.
  const [first, second] = a.text <= b.text ? [a, b] : [b, a]
  return a.size * b.size > LARGE ? intersectLarge(first, second, budget) : intersectSmall(first, second, budget)
}

function intersectSmall(a: Glob, b: Glob, budget: WorkBudget): Intersection | null {
  const pairs = a.patterns.length * b.patterns.length
  budget.steps += (pairs >>> 2) + pairs * stepsOfHeads(a, b)
  for (const x of a.patterns) {
    for (const y of b.patterns) {
      if (headsAgree(x.head, y.head) && sequencesIntersect(x, y, segmentsIntersect, budget)) return [{ a: x, b: y }]
    }
  }
  if (!a.endsInFile && !b.endsInFile) return null
  budget.steps += (pairs >>> 2) + pairs * stepsOfHeads(a, b)
  for (const x of a.patterns) {
    for (const y of b.patterns) {
      const found = headsAgree(x.head, y.head) && (findBelowFile(x, y, budget) ?? findBelowFile(y, x, budget))
      if (found) return found
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
  }
  return null
}
