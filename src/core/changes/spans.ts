import type { ChangedLines, LineRange } from './file-change.ts'

/**
 * The position of a change, in gaps between lines: gap n is after line n. A change of the lines a to b takes the gaps a
 * - 1 to b, an insertion after line n gap n alone. So two spans share a gap exactly where no unchanged line is between
 * the two changes, which is where git can not merge them.
 */
export type Span = readonly [from: number, to: number]

/** The span of each range; none where the lines are not known. */
export function spansOfLines({ lines, inserts }: ChangedLines): Span[] {
  const inserted = inserts && new Set(inserts)
  return (lines ?? []).map(([first, last], at) => {
    const isInsertion = last === first + 1 && (first === 0 || (inserted?.has(at) ?? true))
    return isInsertion ? [first, first] : [first - 1, last]
  })
}

/** The range of each span, and which are insertions where the ranges alone do not tell. */
export function linesOfSpans(spans: readonly Span[]): ChangedLines {
  const isTold = spans.every(([from, to]) => to - from !== 2)
  return { lines: spans.map(rangeOf), inserts: isTold ? undefined : insertionsIn(spans) }
}

/** The indexes of those spans that are insertions. */
export function insertionsIn(spans: readonly Span[]): number[] {
  return spans.flatMap(([from, to], at) => (from === to ? at : []))
}

export function rangeOf([from, to]: Span): LineRange {
  return from === to ? [from, from + 1] : [from + 1, to]
}

/** The changed gaps as sorted spans that share none. */
export function joinedSpans(changed: ChangedLines): Span[] {
  return joinSpans(spansOfLines(changed))
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
