import { commonBits } from './bits.ts'
import type { CharSet } from './char-set.ts'
import type { Segment, Shape } from './segment.ts'
import { shapeMoves } from './segment-meet.ts'
import { listed, trackOf, type Work } from './track.ts'
import { readerOf, rowsToRead } from './track-reader.ts'

/** What ordering and laying out the shapes costs for each of their places. */
const STEPS_TO_PREPARE = 16

/** A shape of a segment, as it stands or from its end to its start. */
interface OwnedShape {
  readonly shape: Shape
  readonly owner: Segment
}

/** Which shapes are read one after the other, and which stand side by side for it. */
interface Reading {
  readonly lines: readonly OwnedShape[]
  readonly sides: readonly OwnedShape[]
  readonly linesAreA: boolean
}

/** Which segments of `bs` name something that a segment of `as` names too. */
export function meetingsOf(as: Iterable<Segment>, bs: Iterable<Segment>, work: Work): Map<Segment, Segment[]> {
  const [a, b] = [shapesOf(as), shapesOf(bs)]
  work.steps += STEPS_TO_PREPARE * (placesOf(a) + placesOf(b))
  const { lines, sides, linesAreA } = cheapest(readingsOf(a, b))
  const track = trackOf<number, CharSet>(sides.map(({ shape }) => shape))
  const sideAt = new Int32Array(32 * track.words)
  for (const i of sides.keys()) sideAt[(track.offsets[i + 1] ?? 0) - 1] = i
  const read = readerOf(track, shapeMoves(track, work), work)
  const meetings = new Map<Segment, Segment[]>()
  const lists = (linesAreA ? lines : sides).map(({ owner }) => listed(meetings, owner))
  for (const [i, { shape, owner }] of lines.entries()) {
    const ends = commonBits(read(shape).subarray(shape.items.length * track.words), track.ends)
    for (const end of ends) {
      const side = sideAt[end] ?? 0
      if (linesAreA) lists[i]?.push(sides[side]?.owner ?? owner)
      else lists[side]?.push(owner)
    }
    work.steps += 2 * ends.length
  }
  return meetings
}

function shapesOf(segments: Iterable<Segment>): OwnedShape[] {
  return Array.from(segments).flatMap((owner) => owner.shapes.map((shape) => ({ shape, owner })))
}

/**
 * Alternatives begin alike or end alike: what they share is read once, so that either glob may be the cheaper one to be
 * read, and either end the better one to begin at.
 */
function readingsOf(a: readonly OwnedShape[], b: readonly OwnedShape[]): Reading[] {
  return [[a, b] as const, [a.map(backwards), b.map(backwards)] as const].flatMap(([x, y]) => [
    { lines: x.toSorted(byBeginning), sides: y, linesAreA: true },
    { lines: y.toSorted(byBeginning), sides: x, linesAreA: false },
  ])
}

function cheapest(readings: readonly Reading[]): Reading {
  const cost = ({ lines, sides }: Reading) => rowsToRead(lines.map(({ shape }) => shape)) * placesOf(sides)
  return readings.reduce((best, reading) => (cost(reading) < cost(best) ? reading : best))
}

function placesOf(shapes: readonly OwnedShape[]): number {
  return shapes.reduce((sum, { shape }) => sum + shape.items.length + 1, 0)
}

function backwards({ shape: { items, gaps, jumps }, owner }: OwnedShape): OwnedShape {
  const mirrored = (place: number) => items.length - place
  return {
    owner,
    shape: {
      items: items.toReversed(),
      gaps: gaps.map(mirrored).reverse(),
      jumps: jumps.map((jump) => ({ ...jump, from: mirrored(jump.to), to: mirrored(jump.from) })).reverse(),
    },
  }
}

/** Brings together what begins alike: by the gap, the bracket and the item at the first place where two shapes differ. */
function byBeginning({ shape: a }: OwnedShape, { shape: b }: OwnedShape): number {
  const length = Math.min(a.items.length, b.items.length)
  let [gap, jump] = [0, 0]
  for (let place = 0; place < length; place++) {
    const gaps = Number(a.gaps[gap] === place) - Number(b.gaps[gap] === place)
    const jumps = Number(a.jumps[jump]?.from === place) - Number(b.jumps[jump]?.from === place)
    const items = (a.items[place] ?? 0) - (b.items[place] ?? 0)
    if (gaps !== 0 || jumps !== 0 || items !== 0) return gaps || jumps || items
    if (a.gaps[gap] === place) gap++
    if (a.jumps[jump]?.from === place) jump++
  }
  return a.items.length - b.items.length
}
