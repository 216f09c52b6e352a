/**
 * Things in a row with gaps between some of them: the characters of a segment with its `*`, or the segments of a path
 * with its `**`. A gap at `n` stands before the n-th item (at the length: after the last) and takes any number of things,
 * also none. Gaps ascend, none twice.
 */
export interface Line<T> {
  readonly items: readonly T[]
  readonly gaps: readonly number[]
}

/**
 * Whether something fits both lines. Two lines with gaps meet where their heads (before the first gap) and tails (after
 * the last) agree as far as the shorter goes: head, middle of the one, middle of the other, tail fits both. A line
 * without gaps against one with: the stretches between the gaps are sought one after the other, each as far to the left
 * as possible. Takes at most as many calls of `meets` as there are pairs of items.
 */
export function linesMeet<T>(a: Line<T>, b: Line<T>, meets: (x: T, y: T) => boolean): boolean {
  if (a.gaps.length > 0) return b.gaps.length > 0 ? endsMeet(a, b, meets) : fits(b, a, meets)
  if (b.gaps.length > 0) return fits(a, b, meets)
  return a.items.length === b.items.length && stretchMeets(a, 0, b, 0, a.items.length, meets)
}

/** The line up to before its item `end`, with a gap that stands there. */
export function startOf<T>(line: Line<T>, end: number): Line<T> {
  return { items: line.items.slice(0, end), gaps: line.gaps.filter((gap) => gap <= end) }
}

/** The line from its item `start` on, with a gap that stands before it. */
export function restOf<T>(line: Line<T>, start: number): Line<T> {
  const gaps = line.gaps.flatMap((gap) => (gap >= start ? [gap - start] : []))
  return { items: line.items.slice(start), gaps }
}

function endsMeet<T>(a: Line<T>, b: Line<T>, meets: (x: T, y: T) => boolean): boolean {
  const head = Math.min(firstGap(a), firstGap(b))
  const tail = Math.min(a.items.length - lastGap(a), b.items.length - lastGap(b))
  return (
    stretchMeets(a, 0, b, 0, head, meets) &&
    stretchMeets(a, a.items.length - tail, b, b.items.length - tail, tail, meets)
  )
}

/** Whether the line without gaps can be read by the one with. */
function fits<T>(plain: Line<T>, gapped: Line<T>, meets: (x: T, y: T) => boolean): boolean {
  const length = plain.items.length
  if (length < gapped.items.length) return false
  const tail = gapped.items.length - lastGap(gapped)
  if (!stretchMeets(plain, 0, gapped, 0, firstGap(gapped), meets)) return false
  if (!stretchMeets(plain, length - tail, gapped, lastGap(gapped), tail, meets)) return false
  let at = firstGap(gapped)
  for (let g = 1; g < gapped.gaps.length; g++) {
    const from = gapped.gaps[g - 1] ?? 0
    const size = (gapped.gaps[g] ?? 0) - from
    while (at + size <= length - tail && !stretchMeets(plain, at, gapped, from, size, meets)) at++
    at += size
    if (at > length - tail) return false
  }
  return true
}

function stretchMeets<T>(
  a: Line<T>,
  fromA: number,
  b: Line<T>,
  fromB: number,
  size: number,
  meets: (x: T, y: T) => boolean,
): boolean {
  for (let i = 0; i < size; i++) {
    const [x, y] = [a.items[fromA + i], b.items[fromB + i]]
    if (x === undefined || y === undefined || !meets(x, y)) return false
  }
  return true
}

function firstGap<T>(line: Line<T>): number {
  return line.gaps[0] ?? 0
}

function lastGap<T>(line: Line<T>): number {
  return line.gaps[line.gaps.length - 1] ?? 0
}
