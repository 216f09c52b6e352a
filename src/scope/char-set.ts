/** Characters of a class: pairs of first and last code point, ascending, apart. */
export interface CharSet {
  readonly ranges: readonly number[]
}

const SLASH = 0x2f

/** What no path holds: NUL, the slash within a segment, and halves of surrogate pairs. */
const outside = [0, 0, SLASH, SLASH, 0xd800, 0xdfff]
const LAST = 0x10ffff

/** The set of these ranges (pairs of first and last), or of all other characters; only what a segment can hold. */
export function charSet(ranges: readonly number[], negated: boolean): CharSet {
  return { ranges: without([...(negated ? ranges : without(ranges)), ...outside]) }
}

/** The set without one of its characters. */
export function less(set: CharSet, char: number): CharSet {
  return { ranges: without([...without(set.ranges), char, char]) }
}

/** Every character that is in none of the ranges. One that runs backwards holds nothing. */
function without(ranges: readonly number[]): number[] {
  const pairs: [number, number][] = []
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0])
  const gaps: number[] = []
  let next = 0
  for (const [first, last] of pairs.filter(([first, last]) => first <= last).sort((a, b) => a[0] - b[0])) {
    if (first > next) gaps.push(next, first - 1)
    next = Math.max(next, last + 1)
  }
  if (next <= LAST) gaps.push(next, LAST)
  return gaps
}

export function isEmpty(set: CharSet): boolean {
  return set.ranges.length === 0
}

export function holds(set: CharSet, char: number): boolean {
  const { ranges } = set
  for (let i = 0; i < ranges.length; i += 2) {
    if (char < (ranges[i] ?? 0)) return false
    if (char <= (ranges[i + 1] ?? 0)) return true
  }
  return false
}

/** The first character of both sets, or -1. */
export function firstOfBoth(a: CharSet, b: CharSet): number {
  for (let i = 0, j = 0; i < a.ranges.length && j < b.ranges.length; ) {
    const first = Math.max(a.ranges[i] ?? 0, b.ranges[j] ?? 0)
    const lastA = a.ranges[i + 1] ?? 0
    const lastB = b.ranges[j + 1] ?? 0
    if (first <= Math.min(lastA, lastB)) return first
    if (lastA < lastB) i += 2
    else j += 2
  }
  return -1
}
