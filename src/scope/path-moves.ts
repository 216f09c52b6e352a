import { remembered } from '../remembered.ts'
import { alikeOnce, listCommon, partOf, toggleAll } from './bits.ts'
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
  const every = new Uint32Array((parts.length + 31) >>> 5).fill(-1)
  const list = new Uint16Array(32 * every.length)
  const toggled = ({ step, files }: PathMoves, count: number): PathMoves => {
    const moves = { step: step.slice(), jump: null, files: files.slice() }
    for (let i = 0; i < count; i++) {
      const part = parts[list[i] ?? 0]
      if (part === undefined) continue
      toggleAll(moves.step, part.steps)
      toggleAll(moves.files, part.files)
      work.steps += 1 + part.steps.length
    }
    return moves
  }
  const none = { step: new Uint32Array(track.words), jump: null, files: new Uint32Array(track.words) }
  const all = toggled(none, listCommon(every, every, list))
  const meetings = meetingsOf(a.unions, b.unions, work)
  const movesUnder = (met: Uint32Array): PathMoves => {
    const count = listCommon(met, every, list)
    if (2 * count <= parts.length) return toggled(none, count)
    const missed = met.map((word) => ~word)
    return toggled(all, listCommon(missed, every, list))
  }
  const known = new Map<Uint32Array, PathMoves>()
  const rows = alikeOnce(meetings)
  return ({ index }) => {
    const row = rows[index] ?? every
    return remembered(known, row, () => movesUnder(row))
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
