import { listFor } from '../../lib/maps.ts'
import type { Glob } from '../glob/glob.ts'
import type { PathPattern } from '../glob/path-pattern.ts'
import type { Segment } from '../glob/segment.ts'
import { buildAutomaton } from './automaton.ts'
import { leastMember } from './bit-set.ts'
import { belowFile, type Intersection, mayStandForFile } from './intersection.ts'
import { headsAgree, tailsAgree } from './literal-ends.ts'
import { matchingStates, readPattern } from './read-automaton.ts'
import type { Steps, WildcardSequence } from './wildcard-sequence.ts'
import type { WorkBudget } from './work-budget.ts'

/**
 * Where two globs with many characters share a path. All alternatives of one glob together make an automaton, which reads
 * the alternatives of the other. Yields at the end of each slice.
 */
export function* intersectLarge(a: Glob, b: Glob, budget: WorkBudget): Generator<void, Intersection | null> {
  return (
    (yield* findPlain(a.patterns, b.patterns, budget)) ??
    (yield* findBelowFile(a.patterns, b.patterns, budget)) ??
    (yield* findBelowFile(b.patterns, a.patterns, budget))
  )
}

function* findPlain(
  patterns: readonly PathPattern[],
  others: readonly PathPattern[],
  budget: WorkBudget,
): Generator<void, Intersection | null> {
  const candidates = candidatesAmong(patterns, others, budget)
  if (candidates.length === 0) return null
  const automaton = buildAutomaton(others, budget)
  for (const pattern of candidates) {
    const states = matchingStates(pattern, yield* readPattern(pattern, automaton, budget), automaton)
    const other = states === 0n ? undefined : others[automaton.sequenceAt(leastMember(states))]
    if (other) return [{ a: pattern, b: other }]
  }
  return null
}

/** Where a path below a file of one glob matches the other. The automaton is for the paths that end in a file. */
function* findBelowFile(
  patterns: readonly PathPattern[],
  others: readonly PathPattern[],
  budget: WorkBudget,
): Generator<void, Intersection | null> {
  const files = patterns.filter(({ file }) => file !== null)
  const candidates = others.filter(
    (other) =>
      other.items.some((_, place) => mayStandForFile(other, place)) &&
      files.some(({ head }) => headsAgree(head, other.head)),
  )
  budget.steps += (files.length * others.length) >>> 2
  if (candidates.length === 0) return null
  const automaton = buildAutomaton(files.map(endingInFile), budget)
  for (const other of candidates) {
    for (const [place, states] of (yield* readPattern(other, automaton, budget)).entries()) {
      const ends = mayStandForFile(other, place) ? states & automaton.accept : 0n
      const pattern = ends === 0n ? undefined : files[automaton.sequenceAt(leastMember(ends))]
      if (pattern) return belowFile(pattern, other, place)
    }
  }
  return null
}

/** The pattern with its last segment taken for the name of a file, not for a class. */
function endingInFile({ items, stars, file }: PathPattern): WildcardSequence<Segment> {
  return { items: file === null ? items : [...items.slice(0, -1), file], stars }
}

/** The patterns that could intersect another one, judged by their literal ends and their lengths. */
function candidatesAmong(patterns: readonly PathPattern[], others: readonly PathPattern[], work: Steps): PathPattern[] {
  const all = [...patterns, ...others]
  const headLength = Math.min(...all.map(({ head }) => head.length))
  const tailLength = Math.min(...all.map(({ tail }) => tail.length))
  const endsOf = ({ head, tail }: PathPattern) =>
    `${head.slice(0, headLength)}\0${tail.slice(tail.length - tailLength)}`
  const byEnds = new Map<string, PathPattern[]>()
  for (const other of others) listFor(byEnds, endsOf(other)).push(other)
  work.steps += all.length * (10 + ((headLength + tailLength) >>> 1))
  return patterns.filter((pattern) => {
    const similar = byEnds.get(endsOf(pattern)) ?? []
    work.steps += similar.length >>> 2
    return similar.some((other) => couldIntersect(pattern, other))
  })
}

/** Whether two patterns agree in their literal ends and in the number of their segments. */
function couldIntersect(a: PathPattern, b: PathPattern): boolean {
  return (
    headsAgree(a.head, b.head) &&
    tailsAgree(a.tail, b.tail) &&
    (a.stars.length > 0 || a.items.length >= b.items.length) &&
    (b.stars.length > 0 || b.items.length >= a.items.length)
  )
}
