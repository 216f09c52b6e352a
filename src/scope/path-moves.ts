import { type BitTable, NONE, rowAt, turnedOver } from './bit-table.ts'
import { meetingsOf } from './segments-at-once.ts'
import type { Moves, Track, Work } from './track.ts'
import type { Union, UnitedPaths } from './united-paths.ts'

/** The moves of the track under a union, and the places where it takes the place of a file that goes on below; null for none. */
interface PathMoves extends Moves {
  readonly files: Uint32Array | null
}

/** A place is before one union only: it is left under those that this one meets. */
export function pathMoves(a: UnitedPaths, b: UnitedPaths, track: Track<Union>, work: Work): (by: Union) => PathMoves {
  const met = meetingsOf(a.unions, b.unions, work)
  const steps = turnedOver(met, unionsAt(track), work)
  const files = filesOf(met, b, track, work)
  const moves = a.unions.map(({ index }) => ({
    step: rowAt(steps, index),
    jump: null,
    files: files && rowAt(files, index),
  }))
  const none = { step: new Uint32Array(track.words), jump: null, files: null }
  return ({ index }) => moves[index] ?? none
}

/** Before which union each place of a track is, by the number of the union. */
function unionsAt({ stepsOf, words }: Track<Union>): Int16Array {
  const numbers = new Int16Array(32 * words).fill(NONE)
  for (const [{ index }, places] of stepsOf) for (const place of places) numbers[place] = index
  return numbers
}

/** For each union of the other glob the places where it takes the place of a file; null where no path ends in a file. */
function filesOf(met: BitTable, { paths }: UnitedPaths, { offsets, words }: Track<Union>, work: Work) {
  if (paths.every(({ file }) => file === null)) return null
  const numbers = new Int16Array(32 * words).fill(NONE)
  for (const [k, { file, items }] of paths.entries()) {
    if (file !== null) numbers[(offsets[k] ?? 0) + items.length - 1] = file.index
  }
  return turnedOver(met, numbers, work)
}
