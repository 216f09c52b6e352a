import type { Rows } from './rows.ts'
import type { Moves, Track } from './track.ts'

/** A gap of the line: from the first place that is reached in a line of the track, all that follow are. */
export function fillToEnds<T, J>(rows: Rows, row: number, { ends, pitch }: Track<T, J>): void {
  if (pitch === 1) fillAlong(rows, row, ends)
  else fillDown(rows, row, ends)
}

/** Adds to the row `to` what is reached by one item from the row looked at last, `from`; false where that is nothing. */
export function advance<T, J>(
  moves: Moves,
  track: Track<T, J>,
  rows: Rows,
  count: number,
  from: number,
  to: number,
): boolean {
  return (track.pitch === 1 ? advanceAlong : advanceDown)(moves, track, rows, count, from, to)
}

/**
 * The end of a line less the places before it is 0 in front of the first of them, and behind it every bit that they do not
 * hold: one subtraction does it for all lines, as none borrows from the next.
 */
function fillAlong({ bits, words }: Rows, row: number, ends: Uint32Array): void {
  let borrow = 0
  for (let w = 0; w < words; w++) {
    const places = bits[row * words + w] ?? 0
    const end = ends[w] ?? 0
    const rest = end - ((places & ~end) >>> 0) - borrow
    borrow = rest < 0 ? 1 : 0
    bits[row * words + w] = places | (rest ^ end)
  }
}

/** A place is in the word behind that of the place before it, so that whole words are handed on. */
function fillDown({ bits, words }: Rows, row: number, ends: Uint32Array): void {
  let filling = 0
  for (let w = 0; w < words; w++) {
    filling |= bits[row * words + w] ?? 0
    bits[row * words + w] = filling
    filling &= ~(ends[w] ?? 0)
  }
}

/** A bracket is taken by its class with a bit that is added to a run of ones: it carries to behind the run. */
function advanceAlong<T, J>(
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

/** What steps goes on to the next word, and what takes a bracket by its class to the first word behind the bracket. */
function advanceDown<T, J>(
  { step, jump }: Moves,
  { gaps, inside }: Track<T, J>,
  { bits, words, filled }: Rows,
  count: number,
  from: number,
  to: number,
): boolean {
  const [source, target] = [from * words, to * words]
  let any = 0
  for (let i = 0; i < count; i++) {
    const w = filled[i] ?? 0
    const places = bits[source + w] ?? 0
    const staying = places & (gaps[w] ?? 0)
    const stepping = places & (step[w] ?? 0)
    let jumping = jump === null ? 0 : places & (jump[w] ?? 0)
    any |= staying | stepping | jumping
    bits[target + w] = (bits[target + w] ?? 0) | staying
    bits[target + w + 1] = (bits[target + w + 1] ?? 0) | stepping
    for (let v = w + 1; jumping !== 0; v++) {
      const within = inside?.[v] ?? 0
      bits[target + v] = (bits[target + v] ?? 0) | (jumping & ~within)
      jumping &= within
    }
  }
  return any !== 0
}
