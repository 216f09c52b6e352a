import { listFor } from '../lib/maps.ts'
import { setBit } from './bits.ts'
import { inARow, type Layout } from './layout.ts'
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
export interface Track<T, J = never> extends Layout {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly gaps: Uint32Array
  /** The places within the brackets, neither their first nor their last; null where there are none. */
  readonly inside: Uint32Array | null
  readonly stepsOf: ReadonlyMap<T, readonly number[]>
  readonly jumpsOf: ReadonlyMap<J, readonly number[]>
}

export function trackOf<T, J = never>(lines: readonly JumpingLine<T, J>[], layout = inARow(lines)): Track<T, J> {
  const { words, offsets, pitch } = layout
  const [starts, ends, gaps] = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)]
  const [stepsOf, jumpsOf] = [new Map<T, number[]>(), new Map<J, number[]>()]
  const inside = new Uint32Array(words)
  lines.forEach((line, i) => {
    const offset = offsets[i] ?? 0
    setBit(starts, offset)
    setBit(ends, offset + pitch * line.items.length)
    for (const gap of line.gaps) setBit(gaps, offset + pitch * gap)
    for (let k = 0; k < line.items.length; k++) {
      const item = line.items[k]
      if (item !== undefined) listFor(stepsOf, item).push(offset + pitch * k)
    }
    for (const { from, to, by } of line.jumps ?? []) {
      listFor(jumpsOf, by).push(offset + pitch * from)
      for (let place = from + 1; place < to; place++) setBit(inside, offset + pitch * place)
    }
  })
  return { words, offsets, pitch, starts, ends, gaps, inside: jumpsOf.size > 0 ? inside : null, stepsOf, jumpsOf }
}

/** The moves of a track under an item that meets the items and classes for which `meets` says so; `among` holds them all. */
export function movesOf<T, J>(
  track: Track<T, J>,
  meets: (by: T | J) => boolean,
  among: Iterable<T> = track.stepsOf.keys(),
): Moves {
  const step = new Uint32Array(track.words)
  for (const item of among) if (meets(item)) for (const place of track.stepsOf.get(item) ?? []) setBit(step, place)
  if (track.inside === null) return { step, jump: null }
  const jump = new Uint32Array(track.words)
  for (const [set, places] of track.jumpsOf) if (meets(set)) for (const place of places) setBit(jump, place)
  return { step, jump }
}
