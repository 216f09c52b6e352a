import { lowestBit } from './bits.ts'
import { END, type Net } from './net.ts'
import type { JumpingLine, Moves, Track, Work } from './track.ts'

/** Rows of places of a track, by number; and for each row which of its words are not 0, as most are. */
interface Rows {
  readonly bits: Uint32Array
  readonly filled: Uint32Array
  readonly words: number
  /** How many words tell of the words of a row. */
  readonly tellers: number
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
    start(rows, 0, track)
    let [nextGap, nextJump, last] = [0, 0, 0]
    for (let place = 0; place <= last; place++) {
      if (gaps[nextGap] === place) {
        nextGap++
        fillToEnds(rows, place, track, work)
      }
      const item = items[place]
      if (item !== undefined && advance(moves(item), track, rows, place, place + 1, work))
        last = Math.max(last, place + 1)
      for (let jump = jumps[nextJump]; jump?.from === place; jump = jumps[++nextJump]) {
        if (advance(moves(jump.by), track, rows, place, jump.to, work)) last = Math.max(last, jump.to)
      }
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
    start(rows, node, track)
    reached[node] = 1
  }
  for (let n = nodes.length - 1; n >= 0; n--) {
    const node = nodes[n]
    if (node === undefined || reached[n] === 0) continue
    if (node.gap) fillToEnds(rows, n, track, work)
    for (let i = 0; i < node.ways.length; i += 2) {
      const [by = END, to = 0] = [node.ways[i], node.ways[i + 1]]
      const label = labels[by]
      if (label === undefined) {
        unite(rows, n, to, work)
        continue
      }
      movesBy[by] ??= moves(label)
      if (advance(movesBy[by], track, rows, n, to, work)) reached[to] = 1
    }
  }
  return rows.bits
}

function rowsOf(count: number, { words }: { words: number }): Rows {
  const tellers = (words + 31) >>> 5
  return { bits: new Uint32Array(count * words), filled: new Uint32Array(count * tellers), words, tellers }
}

function put({ bits, filled, words, tellers }: Rows, row: number, word: number, places: number): void {
  const at = row * words + word
  bits[at] = (bits[at] ?? 0) | places
  const teller = row * tellers + (word >>> 5)
  filled[teller] = (filled[teller] ?? 0) | (1 << (word & 31))
}

function start<T, J>(rows: Rows, row: number, { starts }: Track<T, J>): void {
  for (let w = 0; w < starts.length; w++) if (starts[w] !== 0) put(rows, row, w, starts[w] ?? 0)
}

function unite(rows: Rows, from: number, to: number, work: Work): void {
  for (let w = 0; w < rows.words; w++) {
    const places = rows.bits[from * rows.words + w] ?? 0
    if (places !== 0) put(rows, to, w, places)
  }
  work.steps += rows.words
}

/**
 * A gap of the line: from the first place that is reached in a line of the track, all that follow are. The end of a line
 * less the places before it is 0 in front of the first of them, and behind it every bit that they do not hold: one
 * subtraction does it for all lines, as none borrows from the next.
 */
function fillToEnds<T, J>(rows: Rows, row: number, { words, ends }: Track<T, J>, work: Work): void {
  let borrow = 0
  for (let w = 0; w < words; w++) {
    const places = rows.bits[row * words + w] ?? 0
    const end = ends[w] ?? 0
    const rest = end - ((places & ~end) >>> 0) - borrow
    borrow = rest < 0 ? 1 : 0
    const reached = places | (rest ^ end)
    if (reached !== 0) put(rows, row, w, reached)
  }
  work.steps += words
}

/** Adds to the row `to` what is reached from the row `from` by one item; false where that is nothing. */
function advance<T, J>(
  { step, jump }: Moves,
  track: Track<T, J>,
  rows: Rows,
  from: number,
  to: number,
  work: Work,
): boolean {
  const { gaps, inside } = track
  const { bits, filled, words, tellers } = rows
  let [any, steps] = [false, tellers]
  for (let t = 0; t < tellers; t++) {
    for (let rest = filled[from * tellers + t] ?? 0; rest !== 0; rest &= rest - 1) {
      const w = t * 32 + lowestBit(rest)
      const places = bits[from * words + w] ?? 0
      const stepping = places & (step[w] ?? 0)
      const reached = (stepping << 1) | (places & (gaps[w] ?? 0))
      if (reached !== 0) put(rows, to, w, reached)
      if (stepping < 0) put(rows, to, w + 1, 1)
      const jumping = jump === null ? 0 : places & (jump[w] ?? 0)
      if (jumping !== 0 && inside !== null) leap(rows, to, w, jumping, inside)
      any ||= (reached | stepping | jumping) !== 0
      steps++
    }
  }
  work.steps += steps
  return any
}

/** `advance` over the brackets that are taken by their class: a bit added to a run of ones carries to behind the run. */
function leap(rows: Rows, to: number, word: number, jumping: number, inside: Uint32Array): void {
  let [added, carry] = [jumping << 1, jumping >>> 31]
  let sumCarry = 0
  for (let w = word; (added | carry | sumCarry) !== 0; w++) {
    const within = inside[w] ?? 0
    const sum = (added + within + sumCarry) | 0
    sumCarry = ((added & within) | ((added | within) & ~sum)) >>> 31
    const reached = sum & ~within
    if (reached !== 0) put(rows, to, w, reached)
    added = carry
    carry = 0
  }
}
