import { labelsMeet } from './label.ts'
import { linesMeet } from './line.ts'
import type { Segment, Shape } from './segment.ts'
import { hasBit, type Moves, movesOf, reach, type Track, trackOf, type Work } from './track.ts'

/** Whether some name is named by both segments. */
export function segmentsMeet(a: Segment, b: Segment, work: Work): boolean {
  if (a === b || a.all || b.all) return true
  if (a.name !== null && a.name === b.name) return true
  if (a.literal && b.literal) return false
  return a.shapes.some((x) => b.shapes.some((y) => shapesMeet(x, y, work)))
}

/**
 * Two shapes with a star each always share a name besides `.` and `..`, if anything: something fits between the longer
 * head and the longer tail. Shapes without stars never read these two.
 */
function shapesMeet(a: Shape, b: Shape, work: Work): boolean {
  if (a.jumps.length === 0 && b.jumps.length === 0) return linesMeet(a, b, labelsMeet)
  const track = trackOf([b])
  const rows = reach(a, track, shapeMoves(track), work)
  return hasBit(rows.subarray(a.items.length * track.words), b.items.length)
}

/** The moves of a track of shapes under a label, each worked out once. */
export function shapeMoves(track: Track<number>): (label: Parameters<typeof labelsMeet>[0]) => Moves {
  const known = new Map<Parameters<typeof labelsMeet>[0], Moves>()
  return (label) => {
    const moves =
      known.get(label) ??
      movesOf(
        track,
        (item) => labelsMeet(label, item),
        (set) => labelsMeet(label, set),
      )
    known.set(label, moves)
    return moves
  }
}
