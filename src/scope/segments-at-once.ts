import { commonBits } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { type GroupedLine, type Net, netOf } from './net.ts'
import { shapeMoves } from './segment-meet.ts'
import { trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 8

type GroupedShape = GroupedLine<number, CharSet>

/** Tells which of the unions of two globs name something in common. */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): (a: Union, b: Union) => boolean {
  const [a, b] = [shapesOf(as), shapesOf(bs)]
  work.steps += STEPS_TO_PREPARE * (placesOf(a) + placesOf(b))
  if (as.length < bs.length || (as.length === bs.length && placesOf(a) <= placesOf(b))) {
    const met = metBy(netOf(a, as.length), as.length, b, bs.length, work)
    return (x, y) => met[x.index * bs.length + y.index] === 1
  }
  const met = metBy(netOf(b, bs.length), bs.length, a, as.length, work)
  return (x, y) => met[y.index * as.length + x.index] === 1
}

/** For each group of the net and each of `sides`: 1 where they meet. */
function metBy(
  net: Net<number | CharSet>,
  groups: number,
  sides: readonly GroupedShape[],
  sideGroups: number,
  work: Work,
): Uint8Array {
  const track = trackOf<number, CharSet>(sides.map(({ line }) => line))
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { group }] of sides.entries()) groupAt[(track.offsets[i + 1] ?? 0) - 1] = group
  const rows = readNet(net, track, shapeMoves(track, work), work)
  const met = new Uint8Array(groups * sideGroups)
  for (let group = 0; group < groups; group++) {
    const ends = commonBits(rows.subarray(group * track.words, (group + 1) * track.words), track.ends)
    for (const end of ends) met[group * sideGroups + (groupAt[end] ?? 0)] = 1
    work.steps += ends.length
  }
  return met
}

function shapesOf(unions: readonly Union[]): GroupedShape[] {
  return unions.flatMap(({ segments, index }) =>
    segments.flatMap(({ shapes }) => shapes.map((line) => ({ line, group: index }))),
  )
}

function placesOf(shapes: readonly GroupedShape[]): number {
  return shapes.reduce((sum, { line }) => sum + line.items.length + 1, 0)
}
