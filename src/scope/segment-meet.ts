import { hasBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { type Label, labelsMeet } from './label.ts'
import { linesMeet } from './line.ts'
import type { Affixes, Segment, Shape } from './segment.ts'
import { type Moves, movesOf, reach, type Track, trackOf, type Work } from './track.ts'

/** Up to how many pairs of places trying each costs less than setting up a track. */
const FEW_PLACES = 1024

/** Whether some name is named by both segments. */
export function segmentsMeet(a: Segment, b: Segment, work: Work): boolean {
  if (a === b || a.all || b.all) return true
  if (a.name !== null && a.name === b.name) return true
  if (a.literal && b.literal) return false
  if (a.affixes !== null && b.affixes !== null) return affixesMeet(a.affixes, b.affixes)
  if (a.literal && a.name !== null && b.affixes !== null) return hasAffixes(a.name, b.affixes)
  if (b.literal && b.name !== null && a.affixes !== null) return hasAffixes(b.name, a.affixes)
  return a.shapes.some((x) => b.shapes.some((y) => shapesMeet(x, y, work)))
}

function affixesMeet(a: Affixes, b: Affixes): boolean {
  return (
    (a.head.startsWith(b.head) || b.head.startsWith(a.head)) && (a.tail.endsWith(b.tail) || b.tail.endsWith(a.tail))
  )
}

function hasAffixes(name: string, { head, tail }: Affixes): boolean {
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
}

/**
 * Two shapes with a star each always share a name besides `.` and `..`, if anything: something fits between the longer
 * head and the longer tail. Shapes without stars never read these two.
 */
function shapesMeet(a: Shape, b: Shape, work: Work): boolean {
  if (a.jumps.length === 0 && b.jumps.length === 0) return linesMeet(a, b, labelsMeet)
  if (a.items.length * b.items.length < FEW_PLACES) return endsReached(a, b, work)
  const track = trackOf<number, CharSet>([b])
  return hasBit(reach(a, track, shapeMoves(track, work), work).subarray(a.items.length * track.words), b.items.length)
}

/** Whether the ends of both shapes can be reached together: tries pairs of their places, each once. */
function endsReached(a: Shape, b: Shape, work: Work): boolean {
  const width = b.items.length + 1
  const tried = new Uint8Array((a.items.length + 1) * width)
  const pairs: number[] = []
  const add = (i: number, j: number) => {
    if (tried[i * width + j] === 1) return
    tried[i * width + j] = 1
    pairs.push(i * width + j)
  }
  add(0, 0)
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (pair === tried.length - 1) return true
    work.steps += 2
    const [i, j] = [Math.floor(pair / width), pair % width]
    const [fromA, fromB] = [edgesFrom(a, i), edgesFrom(b, j)]
    for (const x of fromA) for (const y of fromB) if (labelsMeet(x.by, y.by)) add(x.to, y.to)
    if (b.gaps.includes(j)) for (const { to } of fromA) add(to, j)
    if (a.gaps.includes(i)) for (const { to } of fromB) add(i, to)
  }
  return false
}

function edgesFrom({ items, jumps }: Shape, place: number): { to: number; by: Label }[] {
  const item = items[place]
  const edges: { to: number; by: Label }[] = item === undefined ? [] : [{ to: place + 1, by: item }]
  for (const jump of jumps) if (jump.from === place) edges.push(jump)
  return edges
}

/** The moves of a track of shapes under a label, each worked out once. */
export function shapeMoves(track: Track<number, CharSet>, work: Work): (by: Label) => Moves {
  const known = new Map<Label, Moves>()
  return (by) => {
    const found = known.get(by)
    if (found) return found
    const moves = movesOf(track, (label) => labelsMeet(by, label))
    known.set(by, moves)
    work.steps += track.stepsOf.size + track.jumpsOf.size
    return moves
  }
}
