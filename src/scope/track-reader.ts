import type { JumpingLine, Moves, Track, Work } from './track.ts'

/**
 * Reads lines against a track: row n holds the places of the track that can be reached together with place n of the
 * line. `moves` says how the track moves under an item or a class of the line. An answer holds a row for each place of
 * the line, the row of place n from word `n * track.words` on, until the next line is read: where that begins like the
 * one before, as alternatives do, the rows of what they share are kept.
 */
export function readerOf<T, J = never>(
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): (line: JumpingLine<T, J>) => Uint32Array {
  const { words } = track
  let before: JumpingLine<T, J> | null = null
  let rows = new Uint32Array(0)
  let last = 0
  return (line) => {
    const { items, gaps, jumps = [] } = line
    const size = (items.length + 1) * words
    const from = before === null ? -1 : sharedPlace(before, line)
    rows = withRoom(rows, size, (from + 1) * words)
    if (from < 0) rows.set(track.starts)
    last = Math.min(last, Math.max(from, 0))
    before = line
    let nextGap = gaps.findIndex((gap) => gap >= from)
    let nextJump = jumps.findIndex((jump) => jump.from >= from)
    for (let place = Math.max(from, 0); place <= items.length && place <= last; place++) {
      const at = place * words
      if (gaps[nextGap] === place) {
        nextGap++
        fillToEnds(rows.subarray(at, at + words), track)
        work.steps += words
      }
      const item = items[place]
      if (item !== undefined && advance(moves(item), track, rows, at, at + words, work))
        last = Math.max(last, place + 1)
      for (let jump = jumps[nextJump]; jump?.from === place; jump = jumps[++nextJump]) {
        if (advance(moves(jump.by), track, rows, at, jump.to * words, work)) last = Math.max(last, jump.to)
      }
    }
    return rows.subarray(0, size)
  }
}

/** How many rows a reader works out for these lines, one after the other. */
export function rowsToRead<T, J>(lines: readonly JumpingLine<T, J>[]): number {
  return lines.reduce((sum, line, i) => {
    const before = lines[i - 1]
    return sum + line.items.length - (before === undefined ? -1 : sharedPlace(before, line))
  }, 0)
}

/** Room for `size` words, of which the first `kept` stay and the others are 0. */
function withRoom(rows: Uint32Array<ArrayBuffer>, size: number, kept: number): Uint32Array<ArrayBuffer> {
  if (rows.length >= size) return rows.fill(0, kept)
  const grown = new Uint32Array(Math.max(size, 2 * rows.length))
  grown.set(rows.subarray(0, kept))
  return grown
}

/** The last place up to which two lines read alike, not within a bracket; -1 where one begins with a gap. */
function sharedPlace<T, J>(a: JumpingLine<T, J>, b: JumpingLine<T, J>): number {
  let place = 0
  for (let gap = 0; ; place++) {
    const gapped = a.gaps[gap] === place
    if (gapped !== (b.gaps[gap] === place)) {
      place--
      break
    }
    if (gapped) gap++
    if (place >= a.items.length || a.items[place] !== b.items[place]) break
  }
  for (const [i, jump] of (a.jumps ?? []).entries()) {
    const other = b.jumps?.[i]
    const alike = other?.from === jump.from && other.to === jump.to && other.by === jump.by
    if (jump.to > place || !alike) return Math.min(place, jump.from, other?.from ?? place)
  }
  return Math.min(place, b.jumps?.[a.jumps?.length ?? 0]?.from ?? place)
}

/**
 * A gap of the line: from the first place that is reached in a line of the track, all that follow are. The end of a line
 * less the places before it is 0 in front of the first of them, and behind it every bit that they do not hold: one
 * subtraction does it for all lines, as none borrows from the next.
 */
function fillToEnds<T, J>(row: Uint32Array, { words, ends }: Track<T, J>): void {
  let borrow = 0
  for (let w = 0; w < words; w++) {
    const places = row[w] ?? 0
    const end = ends[w] ?? 0
    const rest = end - ((places & ~end) >>> 0) - borrow
    borrow = rest < 0 ? 1 : 0
    row[w] = places | (rest ^ end)
  }
}

/** Adds to the row at `to` what is reached from the row at `from` by one item; false where that is nothing. */
function advance<T, J>(
  { step, jump }: Moves,
  track: Track<T, J>,
  rows: Uint32Array,
  from: number,
  to: number,
  work: Work,
): boolean {
  const { words, gaps, inside } = track
  let [carry, any, steps] = [0, 0, words >>> 2]
  for (let w = 0; w < words; w++) {
    const places = rows[from + w] ?? 0
    if ((places | carry) === 0) continue
    const stepping = places & (step[w] ?? 0)
    const reached = (stepping << 1) | carry | (places & (gaps[w] ?? 0))
    carry = stepping >>> 31
    rows[to + w] = (rows[to + w] ?? 0) | reached
    any |= reached
    steps++
  }
  work.steps += steps
  return (jump !== null && inside !== null && leap(jump, inside, rows, from, to, work)) || any !== 0
}

/** `advance` over the brackets that are taken by their class: a bit added to a run of ones carries to behind the run. */
function leap(
  jump: Uint32Array,
  inside: Uint32Array,
  rows: Uint32Array,
  from: number,
  to: number,
  work: Work,
): boolean {
  const words = inside.length
  let [carry, sumCarry, any, steps] = [0, 0, 0, words >>> 2]
  for (let w = 0; w < words; w++) {
    const jumping = (rows[from + w] ?? 0) & (jump[w] ?? 0)
    if ((jumping | carry | sumCarry) === 0) continue
    const within = inside[w] ?? 0
    const added = (jumping << 1) | carry
    const sum = (added + within + sumCarry) | 0
    carry = jumping >>> 31
    sumCarry = ((added & within) | ((added | within) & ~sum)) >>> 31
    const reached = sum & ~within
    rows[to + w] = (rows[to + w] ?? 0) | reached
    any |= reached
    steps++
  }
  work.steps += steps
  return any !== 0
}
