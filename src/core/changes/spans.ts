/** First and last line of the old side. An insertion after line n is `[n + 1, n]`. */
export type LineRange = readonly [first: number, last: number]

/** The lines of a file that was not there before. */
export const newFile = [[1, 0]]

/**
 * The place of a change, in gaps between lines: gap n is after line n. A change of the lines a to b takes the gaps a - 1 to b, an
 * insertion after line n gap n alone. So two changes share a gap exactly where no unchanged line is between them, which is where
 * git can not merge them.
 */
export type Span = readonly [from: number, to: number]

/** The places of these lines in order, those joined between which no line is left. */
export function spansOf(ranges: readonly (readonly number[])[]): Span[] {
  const spans: [number, number][] = []
  const sorted = ranges.map(([first = 0, last = 0]): [number, number] => [first - 1, last]).sort((a, b) => a[0] - b[0])
  for (const span of sorted) {
    const previous = spans.at(-1)
    if (previous && span[0] <= previous[1]) previous[1] = Math.max(previous[1], span[1])
    else spans.push(span)
  }
  return spans
}

export function rangeOf([from, to]: Span): LineRange {
  return [from + 1, to]
}

export interface ClosestSpans {
  /** How many unchanged lines are between them; 0 where they touch. */
  distance: number
  /** All of both sides that are as close. */
  ours: Span[]
  theirs: Span[]
}

/** The closest places of two changes of a file, in one pass over what `spansOf` makes; null where one is empty. */
export function closestSpans(a: readonly Span[], b: readonly Span[]): ClosestSpans | null {
  let closest: ClosestSpans | null = null
  for (let i = 0, j = 0; ; ) {
    const [x, y] = [a[i], b[j]]
    if (!x || !y) return closest
    const distance = Math.max(x[0] - y[1], y[0] - x[1], 0)
    if (closest === null || distance < closest.distance) closest = { distance, ours: [], theirs: [] }
    if (distance === closest.distance) {
      if (closest.ours.at(-1) !== x) closest.ours.push(x)
      if (closest.theirs.at(-1) !== y) closest.theirs.push(y)
    }
    if (x[1] < y[1]) i++
    else j++
  }
}
