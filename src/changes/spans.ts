import type { LineRange } from './file-change.ts'

/**
 * The position of a change, in gaps between lines: gap n is after line n. A change of the lines a to b takes the gaps a
 * - 1 to b, an insertion after line n gap n alone. So two spans share a gap exactly where no unchanged line is between
 * the two changes, which is where git can not merge them.
 */
export type Span = readonly [from: number, to: number]

/** A range of two lines may be a change or an insertion. It is read as an insertion, since it mostly is one. */
function spanOf([first, last]: LineRange): Span {
  return last === first + 1 ? [first, first] : [first - 1, last]
}

export function rangeOf([from, to]: Span): LineRange {
  return from === to ? [from, from + 1] : [from + 1, to]
}

/** The same gaps as sorted spans that share none. */
export function joinedSpans(ranges: readonly LineRange[]): Span[] {
  return joinSpans(ranges.map(spanOf))
}

/** The same gaps, in order, as spans that share none. */
export function joinSpans(spans: readonly Span[]): Span[] {
  if (spans.length < 2) return [...spans]
  const joined: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1)
    if (previous && from <= previous[1]) previous[1] = Math.max(previous[1], to)
    else joined.push([from, to])
  }
  return joined
}

export interface ClosestSpans {
  /** How many unchanged lines are between them; 0 where they touch. */
  distance: number
  a: Span
  b: Span
}

/** The first of the closest pairs of two lists of joined spans, in one pass; null where one is empty. */
export function closestSpans(a: readonly Span[], b: readonly Span[]): ClosestSpans | null {
  let closest: ClosestSpans | null = null
  for (let i = 0, j = 0; ; ) {
    const [spanA, spanB] = [a[i], b[j]]
    if (!spanA || !spanB) return closest
    const distance = Math.max(spanA[0] - spanB[1], spanB[0] - spanA[1], 0)
    if (closest === null || distance < closest.distance) closest = { distance, a: spanA, b: spanB }
    if (distance === 0) return closest
    if (spanA[1] < spanB[0]) i++
    else j++
  }
}
