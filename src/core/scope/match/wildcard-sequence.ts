/**
 * Items with stars between them: the characters of a segment with its `*`, or the segments of a path with its `**`. A
 * star at `n` is before the n-th item (at the length: after the last) and matches any run, also none. Stars ascend.
 */
export interface WildcardSequence<T> {
  readonly items: readonly T[]
  readonly stars: readonly number[]
}

/** A second way through a sequence: an item that leads from the place `from` to the place `to`. */
export interface Shortcut<T> {
  readonly from: number
  readonly to: number
  readonly item: T
  /** Whether an example path takes this way rather than the other. */
  readonly isPreferred: boolean
}

/** A sequence with shortcuts, at most one from each place and one to each. */
export interface SequenceWithShortcuts<T> extends WildcardSequence<T> {
  readonly shortcuts?: readonly Shortcut<T>[]
}

/** Counts the work done. */
export interface Steps {
  steps: number
}

type ItemsIntersect<T> = (x: T, y: T, work: Steps) => boolean

/**
 * Whether some run matches both sequences. If both have stars, only their heads (before the first star) and their tails
 * (after the last) have to agree: head, middle of one, middle of the other, tail matches both. If one has none, the chunks
 * between the stars of the other are found in it from left to right, each as early as possible.
 */
export function sequencesIntersect<T>(
  a: WildcardSequence<T>,
  b: WildcardSequence<T>,
  itemsIntersect: ItemsIntersect<T>,
  work: Steps,
): boolean {
  if (a.stars.length > 0)
    return b.stars.length > 0 ? endsIntersect(a, b, itemsIntersect, work) : matches(b, a, itemsIntersect, work)
  if (b.stars.length > 0) return matches(a, b, itemsIntersect, work)
  return a.items.length === b.items.length && chunksIntersect(a, 0, b, 0, a.items.length, itemsIntersect, work)
}

/** The sequence before its item `end`, with a star that is there. */
export function sequenceBefore<T>({ items, stars }: WildcardSequence<T>, end: number): WildcardSequence<T> {
  return { items: items.slice(0, end), stars: stars.filter((star) => star <= end) }
}

/** The sequence from its item `start` on, with a star that is before it. */
export function sequenceFrom<T>({ items, stars }: WildcardSequence<T>, start: number): WildcardSequence<T> {
  return { items: items.slice(start), stars: stars.filter((star) => star >= start).map((star) => star - start) }
}

function endsIntersect<T>(
  a: WildcardSequence<T>,
  b: WildcardSequence<T>,
  itemsIntersect: ItemsIntersect<T>,
  work: Steps,
): boolean {
  const head = Math.min(firstStar(a), firstStar(b))
  const tail = Math.min(a.items.length - lastStar(a), b.items.length - lastStar(b))
  return (
    chunksIntersect(a, 0, b, 0, head, itemsIntersect, work) &&
    chunksIntersect(a, a.items.length - tail, b, b.items.length - tail, tail, itemsIntersect, work)
  )
}

/** Whether the sequence without stars is matched by the one with stars. */
function matches<T>(
  plain: WildcardSequence<T>,
  starred: WildcardSequence<T>,
  itemsIntersect: ItemsIntersect<T>,
  work: Steps,
): boolean {
  const length = plain.items.length
  if (length < starred.items.length) return false
  const tail = starred.items.length - lastStar(starred)
  if (!chunksIntersect(plain, 0, starred, 0, firstStar(starred), itemsIntersect, work)) return false
  if (!chunksIntersect(plain, length - tail, starred, lastStar(starred), tail, itemsIntersect, work)) return false
  let at = firstStar(starred)
  for (let n = 1; n < starred.stars.length; n++) {
    const from = starred.stars[n - 1] ?? 0
    const size = (starred.stars[n] ?? 0) - from
    while (at + size <= length - tail && !chunksIntersect(plain, at, starred, from, size, itemsIntersect, work)) at++
    at += size
    if (at > length - tail) return false
  }
  return true
}

function chunksIntersect<T>(
  a: WildcardSequence<T>,
  fromA: number,
  b: WildcardSequence<T>,
  fromB: number,
  size: number,
  itemsIntersect: ItemsIntersect<T>,
  work: Steps,
): boolean {
  for (let i = 0; i < size; i++) {
    const x = a.items[fromA + i]
    const y = b.items[fromB + i]
    if (x === undefined || y === undefined || !itemsIntersect(x, y, work)) {
      work.steps += 1 + (i >>> 2)
      return false
    }
  }
  work.steps += 1 + (size >>> 2)
  return true
}

function firstStar<T>({ stars }: WildcardSequence<T>): number {
  return stars[0] ?? 0
}

function lastStar<T>({ stars }: WildcardSequence<T>): number {
  return stars[stars.length - 1] ?? 0
}
