import { remembered } from '../remembered.ts'
import { alikeOnce, numbersOf, partOf, toggleAll } from './bits.ts'
import { meetingsOf } from './segments-at-once.ts'
import type { Moves, Track, Work } from './track.ts'
import type { Union, UnitedPaths } from './united-paths.ts'

/** The moves of the track under a union, and the places where it takes the place of a file that goes on below. */
interface PathMoves extends Moves {
  readonly files: Uint32Array
}

/**
 * A place is before one union only: where most unions are met, the others are taken out of all. Unions that meet the same
 * ones, as most of a list do, move alike.
 */
export function pathMoves(a: UnitedPaths, b: UnitedPaths, track: Track<Union>, work: Work): (by: Union) => PathMoves {
  const parts = partsOf(b, track)
  const toggled = ({ step, files }: PathMoves, unions: readonly number[]): PathMoves => {
    const moves = { step: step.slice(), jump: null, files: files.slice() }
    for (const union of unions) {
      const part = parts[union]
      if (part === undefined) continue
      toggleAll(moves.step, part.steps)
      toggleAll(moves.files, part.files)
      work.steps += 1 + part.steps.length
    }
    return moves
  }
  const none = { step: new Uint32Array(track.words), jump: null, files: new Uint32Array(track.words) }
  const all = toggled(none, [...parts.keys()])
  const movesUnder = (met: Uint32Array): PathMoves => {
    const unions = numbersOf(met)
    if (2 * unions.length <= parts.length) return toggled(none, unions)
    return toggled(all, numbersOf(met.map((word) => ~word)))
  }
  const meetings = alikeOnce(meetingsOf(a.unions, b.unions, work))
  const known = new Map<Uint32Array, PathMoves>()
  return ({ index }) => {
    const met = meetings[index]
    return met === undefined ? none : remembered(known, met, () => movesUnder(met))
  }
}

/** For each union of a glob its places on the track, and those where it may be a file that goes on below. */
function partsOf({ paths, unions }: UnitedPaths, { stepsOf, offsets, words }: Track<Union>) {
  const filesOf: number[][] = unions.map(() => [])
  for (const [k, { file, items }] of paths.entries()) {
    if (file !== null) filesOf[file.index]?.push((offsets[k] ?? 0) + items.length - 1)
  }
  return unions.map((union, i) => ({
    steps: partOf(stepsOf.get(union) ?? [], words),
    files: partOf(filesOf[i] ?? [], words),
  }))
}
