import type { CharacterMatcher } from '../glob/character.ts'
import type { PathPattern } from '../glob/path-pattern.ts'
import type { NamePattern, Segment } from '../glob/segment.ts'
import type { Automaton } from './automaton.ts'
import { fillToEnds } from './bit-set.ts'
import { segmentsIntersect } from './segments.ts'
import type { Steps } from './wildcard-sequence.ts'
import type { WorkBudget } from './work-budget.ts'

/**
 * Reads a pattern. Returns the states after each of its segments, up to the first segment that leads nowhere. Yields at the
 * end of each slice.
 */
export function* readPattern(
  { items, stars }: PathPattern,
  automaton: Automaton,
  budget: WorkBudget,
): Generator<void, bigint[]> {
  const statesAfter: bigint[] = []
  let states = afterRepeats(automaton.start, automaton)
  for (const [i, segment] of items.entries()) {
    if (i > 0) states = afterSlash(states, automaton)
    if (stars.includes(i)) states = afterPathStar(states, automaton)
    states = afterSegment(segment, states, automaton, budget)
    if (budget.steps >= budget.sliceEnd) yield
    if (states === 0n) break
    statesAfter.push(states)
  }
  return statesAfter
}

/** States on the way to the end of a path that the pattern matches, after `readPattern`. */
export function matchingStates(
  { items, stars }: PathPattern,
  statesAfter: readonly bigint[],
  automaton: Automaton,
): bigint {
  const states = statesAfter[items.length - 1] ?? 0n
  const isOpen = stars.includes(items.length)
  return (states & automaton.accept) | (isOpen ? afterSlash(states, automaton) : 0n)
}

function afterSlash(states: bigint, automaton: Automaton): bigint {
  return afterRepeats(((states & automaton.beforeSlash) << 1n) | (states & automaton.repeats), automaton)
}

/** A star of the path may also match no segment. */
function afterRepeats(states: bigint, { innerRepeats }: Automaton): bigint {
  return states | ((states & innerRepeats) << 1n)
}

/** A star of the path that is read: every segment matches something, so that all later segments can be reached. */
function afterPathStar(states: bigint, { sequenceEnds, segmentStarts }: Automaton): bigint {
  return states | (fillToEnds(states, sequenceEnds) & segmentStarts)
}

function afterSegment(segment: Segment, states: bigint, automaton: Automaton, work: Steps): bigint {
  work.steps += 20 + (automaton.size >>> 6)
  let after = 0n
  for (const reading of segment.readings) after |= afterName(reading, states, automaton, work)
  if (after === 0n || automaton.twoPartSegments.length === 0 || !segment.hasStarAndDots) return after
  return withoutDots(segment, states, after, automaton, work)
}

/** Leaves out segments of the automaton that share no name with the one that was read, besides `..`. */
function withoutDots(segment: Segment, states: bigint, after: bigint, automaton: Automaton, work: Steps): bigint {
  let rest = after
  for (const { segment: other, start, end } of automaton.twoPartSegments) {
    work.steps += 10 + (automaton.size >>> 8)
    const [startBit, endBit] = [1n << BigInt(start), 1n << BigInt(end)]
    if ((after & endBit) === 0n || (states & startBit) === 0n) continue
    if (!segmentsIntersect(segment, other, work)) rest ^= endBit
  }
  return rest
}

/** The states after all names of a pattern. */
function afterName({ items, stars, shortcuts }: NamePattern, start: bigint, automaton: Automaton, work: Steps): bigint {
  const statesAt = new Array<bigint>(items.length + 1).fill(0n)
  statesAt[0] = start
  let [star, shortcut] = [0, 0]
  for (const [i, item] of items.entries()) {
    const isStar = stars[star] === i
    if (isStar) star++
    const states = isStar ? fillToEnds(statesAt[i] ?? 0n, automaton.segmentEnds) : (statesAt[i] ?? 0n)
    if (states !== 0n) statesAt[i + 1] = (statesAt[i + 1] ?? 0n) | afterCharacter(item, states, automaton, work)
    for (let by = shortcuts[shortcut]; by?.from === i; by = shortcuts[++shortcut]) {
      if (states !== 0n) statesAt[by.to] = (statesAt[by.to] ?? 0n) | afterCharacter(by.item, states, automaton, work)
    }
  }
  const states = statesAt[items.length] ?? 0n
  work.steps += items.length
  return stars[star] === items.length ? fillToEnds(states, automaton.segmentEnds) : states
}

function afterCharacter(matcher: CharacterMatcher, states: bigint, automaton: Automaton, work: Steps): bigint {
  const { loops, inside, outside } = automaton
  work.steps += 20 + (automaton.size >>> 6)
  const { next, shortcut } = automaton.movesBy(matcher)
  const after = ((states & next) << 1n) | (states & loops)
  const leaving = states & shortcut
  // A bit added to a run of ones carries to the first state behind it.
  return leaving === 0n ? after : after | (((leaving << 1n) + inside) & outside)
}
