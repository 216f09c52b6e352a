import { END, type Net } from './net.ts'
import type { JumpingLine, Moves, Track, Work } from './track.ts'

/** Rows of places of a track, by number. */
interface Rows {
  readonly bits: Uint32Array
  readonly words: number
  /** Which words of the row that was looked at last are not 0: few, as a rule. */
  readonly filled: Uint16Array
}

/**
 * Reads lines against a track: row n holds the places of the track that can be reached together with place n of the
 * line. `moves` says how the track moves under an item or a class of the line. An answer holds a row for each place of
 * the line, the row of place n from word `n * track.words` on.
 */
export function readerOf<T, J = never>(
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): (line: JumpingLine<T, J>) => Uint32Array {
  return ({ items, gaps, jumps = [] }) => {
    const rows = rowsOf(items.length + 1, track)
    rows.bits.set(track.starts)
    let [nextGap, nextJump, last] = [0, 0, 0]
    for (let place = 0; place <= last; place++) {
      if (gaps[nextGap] === place) {
        nextGap++
        fillToEnds(rows, place, track)
      }
      const count = look(rows, place)
      const move = (by: T | J, to: number) => {
        work.steps += count
        if (advance(moves(by), track, rows, count, place, to)) last = Math.max(last, to)
      }
      const item = items[place]
      if (item !== undefined) move(item, place + 1)
      for (let jump = jumps[nextJump]; jump?.from === place; jump = jumps[++nextJump]) move(jump.by, jump.to)
    }
    return rows.bits
  }
}

/** The rows of all nodes of a net, one after the other: the places of the track that can be reached together with it. */
export function readNet<T, J>(
  { nodes, starts, labels }: Net<T | J>,
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): Uint32Array {
  const rows = rowsOf(nodes.length, track)
  const reached = new Uint8Array(nodes.length)
  const movesBy: Moves[] = []
  for (const node of starts) {
    rows.bits.set(track.starts, node * track.words)
    reached[node] = 1
  }
  for (let n = nodes.length - 1; n >= 0; n--) {
    const node = nodes[n]
    if (node === undefined || reached[n] === 0) continue
    if (node.gap) fillToEnds(rows, n, track)
    const count = look(rows, n)
    work.steps += (track.words >>> 2) + (count * node.ways.length) / 2
    for (let i = 0; i < node.ways.length; i += 2) {
      const by = node.ways[i] ?? END
      const to = node.ways[i + 1] ?? 0
      const label = labels[by]
      if (label === undefined) {
        unite(rows, n, to)
        continue
      }
      movesBy[by] ??= moves(label)
      if (advance(movesBy[by], track, rows, count, n, to)) reached[to] = 1
    }
  }
  return rows.bits
}

function rowsOf<T, J>(count: number, { words }: Track<T, J>): Rows {
  return { bits: new Uint32Array(count * words), words, filled: new Uint16Array(words + 1) }
}

/** Finds the words of a row that are not 0, and tells how many they are. */
function look({ bits, words, filled }: Rows, row: number): number {
  let count = 0
  for (let w = 0; w < words; w++) if (bits[row * words + w] !== 0) filled[count++] = w
  return count
}

function unite({ bits, words }: Rows, from: number, to: number): void {
  for (let w = 0; w < words; w++) bits[to * words + w] = (bits[to * words + w] ?? 0) | (bits[from * words + w] ?? 0)
}

/**
 * A gap of the line: from the first place that is reached in a line of the track, all that follow are. The end of a line
 * less the places before it is 0 in front of the first of them, and behind it every bit that they do not hold: one
 * subtraction does it for all lines, as none borrows from the next.
 */
function fillToEnds<T, J>({ bits, words }: Rows, row: number, { ends }: Track<T, J>): void {
  let borrow = 0
  for (let w = 0; w < words; w++) {
    const places = bits[row * words + w] ?? 0
    const end = ends[w] ?? 0
    const rest = end - ((places & ~end) >>> 0) - borrow
    borrow = rest < 0 ? 1 : 0
    bits[row * words + w] = places | (rest ^ end)
  }
}

/**
 * Adds to the row `to` what is reached by one item from the row looked at last, `from`; false where that is nothing. A
 * bracket is taken by its class with a bit that is added to a run of ones: it carries to behind the run.
 */
function advance<T, J>(
  { step, jump }: Moves,
  { gaps, inside }: Track<T, J>,
  { bits, words, filled }: Rows,
  count: number,
  from: number,
  to: number,
): boolean {
  let any = 0
  let carry = 0
  let jumpCarry = 0
  let sumCarry = 0
  for (let i = 0, w = 0; i < count || (carry | jumpCarry | sumCarry) !== 0; w++) {
    const next = filled[i] ?? 0
    if (next !== w && (carry | jumpCarry | sumCarry) === 0) w = next
    if (next === w) i++
    const places = bits[from * words + w] ?? 0
    const stepping = places & (step[w] ?? 0)
    let reached = (stepping << 1) | carry | (places & (gaps[w] ?? 0))
    carry = stepping >>> 31
    if (jump !== null && inside !== null) {
      const jumping = places & (jump[w] ?? 0)
      if ((jumping | jumpCarry | sumCarry) !== 0) {
        const within = inside[w] ?? 0
        const added = (jumping << 1) | jumpCarry
        const sum = (added + within + sumCarry) | 0
        jumpCarry = jumping >>> 31
        sumCarry = ((added & within) | ((added | within) & ~sum)) >>> 31
        reached |= sum & ~within
      }
    }
    bits[to * words + w] = (bits[to * words + w] ?? 0) | reached
    any |= reached
  }
  return any !== 0
}
