/** A set of code points: pairs of first and last, ascending and disjoint. */
export interface CharacterSet {
  readonly ranges: readonly number[]
}

const SLASH = 0x2f
const LAST = 0x10ffff

/** Characters that no segment of a path holds: NUL, the slash, and surrogates. */
const excluded = [0, 0, SLASH, SLASH, 0xd800, 0xdfff]

/** The set of these ranges (pairs of first and last), or of all other characters if `negated`. */
export function characterSet(ranges: readonly number[], negated: boolean): CharacterSet {
  return { ranges: complement([...(negated ? ranges : complement(ranges)), ...excluded]) }
}

export function withoutCharacter(set: CharacterSet, char: number): CharacterSet {
  return { ranges: complement([...complement(set.ranges), char, char]) }
}

/** Every character outside the ranges. A range that runs backwards is empty. */
function complement(ranges: readonly number[]): number[] {
  const pairs: [number, number][] = []
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0])
  const result: number[] = []
  let next = 0
  for (const [first, last] of pairs.filter(([first, last]) => first <= last).sort((a, b) => a[0] - b[0])) {
    if (first > next) result.push(next, first - 1)
    next = Math.max(next, last + 1)
  }
  if (next <= LAST) result.push(next, LAST)
  return result
}

export function isEmpty(set: CharacterSet): boolean {
  return set.ranges.length === 0
}

export function contains(set: CharacterSet, char: number): boolean {
  const { ranges } = set
  for (let i = 0; i < ranges.length; i += 2) {
    if (char < (ranges[i] ?? 0)) return false
    if (char <= (ranges[i + 1] ?? 0)) return true
  }
  return false
}

/** The first character that both sets contain, or -1. */
export function firstShared(a: CharacterSet, b: CharacterSet): number {
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
