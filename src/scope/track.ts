import { firstBit, setBit, setBits } from './bits.ts'
import type { Line } from './line.ts'

/** Counts the work done, in words of 32 places: what a caller measures its turns by. */
export interface Work {
  steps: number
}

/** The class of a bracket: leads from before its own text to behind it by one character. */
export interface Jump<J> {
  readonly from: number
  readonly to: number
  readonly by: J
  /** Whether it looks like a class (`[a-z]`, `[!x]`) rather than a name (`[id]`); only examples ask. */
  readonly likely: boolean
}

/** A line where brackets stand by their own text, and may also be taken by their class. */
export interface JumpingLine<T, J = never> extends Line<T> {
  readonly jumps?: readonly Jump<J>[]
}

/** Which places may be left under some item of the other line: by a step to the next place, by a jump. */
export interface Moves {
  readonly step: Uint32Array
  readonly jump: Uint32Array | null
}

/**
 * Many lines side by side as bits, one for each place (a line of n items has n + 1), so that all of them are read
 * against another line at once, 32 places a step.
 */
export interface Track<T, J = never> {
  readonly words: number
  /** The first place of each line, and the end of them all. */
  readonly offsets: readonly number[]
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly gaps: Uint32Array
  /** The places within the brackets, neither their first nor their last; null where there are none. */
  readonly inside: Uint32Array | null
  readonly stepsOf: ReadonlyMap<T, readonly number[]>
  readonly jumpsOf: ReadonlyMap<J, readonly number[]>
}

export function trackOf<T, J = never>(lines: readonly JumpingLine<T, J>[]): Track<T, J> {
  const offsets = [0]
  for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.items.length + 1)
  const words = ((offsets.at(-1) ?? 0) + 31) >>> 5
  const [starts, ends, gaps] = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)]
  const [stepsOf, jumpsOf] = [new Map<T, number[]>(), new Map<J, number[]>()]
  const inside = new Uint32Array(words)
  lines.forEach((line, i) => {
    const offset = offsets[i] ?? 0
    setBit(starts, offset)
    setBit(ends, offset + line.items.length)
    for (const gap of line.gaps) setBit(gaps, offset + gap)
    for (let k = 0; k < line.items.length; k++) {
      const item = line.items[k]
      if (item !== undefined) listed(stepsOf, item).push(offset + k)
    }
    for (const { from, to, by } of line.jumps ?? []) {
      listed(jumpsOf, by).push(offset + from)
      for (let place = from + 1; place < to; place++) setBit(inside, offset + place)
    }
  })
  return { words, offsets, starts, ends, gaps, inside: jumpsOf.size > 0 ? inside : null, stepsOf, jumpsOf }
}

function listed<K>(map: Map<K, number[]>, key: K): number[] {
  const list = map.get(key) ?? []
  if (list.length === 0) map.set(key, list)
  return list
}

/** The moves of a track under an item that meets the items and classes for which `meets` says so. */
export function movesOf<T, J>(track: Track<T, J>, meets: (by: T | J) => boolean): Moves {
  const step = new Uint32Array(track.words)
  for (const [item, places] of track.stepsOf) if (meets(item)) for (const place of places) setBit(step, place)
  if (track.inside === null) return { step, jump: null }
  const jump = new Uint32Array(track.words)
  for (const [set, places] of track.jumpsOf) if (meets(set)) for (const place of places) setBit(jump, place)
  return { step, jump }
}

/**
 * Reads a line against a track: row n holds the places of the track that can be reached together with place n of the
 * line. `moves` says how the track moves under an item or a class of the line. The answer holds a row for each place of
 * the line, the row of place n from word `n * track.words` on.
 */
export function reach<T, J>(
  line: JumpingLine<T, J>,
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): Uint32Array {
  const { words } = track
  const length = line.items.length
  const rows = new Uint32Array((length + 1) * words)
  rows.set(track.starts)
  let nextGap = 0
  let nextJump = 0
  let last = 0
  const jumps = line.jumps ?? []
  for (let place = 0; place <= length && place <= last; place++) {
    const row = rows.subarray(place * words, (place + 1) * words)
    if (line.gaps[nextGap] === place) {
      nextGap++
      fillToEnds(row, track)
      work.steps += words + track.offsets.length
    }
    const item = line.items[place]
    if (item !== undefined && place < length) {
      if (advance(row, moves(item), track, rows, (place + 1) * words)) last = Math.max(last, place + 1)
      work.steps += words
    }
    for (let jump = jumps[nextJump]; jump?.from === place; jump = jumps[++nextJump]) {
      if (advance(row, moves(jump.by), track, rows, jump.to * words)) last = Math.max(last, jump.to)
      work.steps += words
    }
  }
  return rows
}

/** A gap of the line: from the first place that is reached in a line of the track, all that follow are. */
function fillToEnds<T, J>(row: Uint32Array, { offsets }: Track<T, J>): void {
  for (let i = 1; i < offsets.length; i++) {
    const end = offsets[i] ?? 0
    setBits(row, firstBit(row, offsets[i - 1] ?? 0, end), end)
  }
}

/** Adds to the row at `to` what is reached from `row` by one item; false where that is nothing. */
function advance<T, J>(row: Uint32Array, moves: Moves, track: Track<T, J>, rows: Uint32Array, to: number): boolean {
  const { step, jump } = moves
  const { gaps, inside } = track
  let stepCarry = 0
  let jumpCarry = 0
  let sumCarry = 0
  let any = 0
  for (let w = 0; w < track.words; w++) {
    const places = row[w] ?? 0
    const stepping = places & (step[w] ?? 0)
    let reached = (stepping << 1) | stepCarry | (places & (gaps[w] ?? 0))
    stepCarry = stepping >>> 31
    if (jump !== null && inside !== null) {
      // A bit added to a run of ones carries to the first place behind it: all brackets are jumped in one addition.
      const jumping = places & (jump[w] ?? 0)
      const within = inside[w] ?? 0
      const sum = (((jumping << 1) | jumpCarry) >>> 0) + within + sumCarry
      jumpCarry = jumping >>> 31
      sumCarry = sum > 0xffffffff ? 1 : 0
      reached |= sum & ~within
    }
    rows[to + w] = (rows[to + w] ?? 0) | reached
    any |= reached
  }
  return any !== 0
}
