import { listCommon, setBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { labelMoves } from './label-moves.ts'
import { backwards, type GroupedShape, smallestNet } from './smallest-net.ts'
import { trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 8

/** The shapes of all unions of a glob, and in which union each is. */
interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
}

/**
 * For each union of a glob, by its index, the unions of the other that name something it names too, as bits. The glob
 * with more shapes to a union is put together: it shrinks the most. Else the smaller one.
 */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): readonly Uint32Array[] {
  const [a, b] = [sideOf(as), sideOf(bs)]
  work.steps += STEPS_TO_PREPARE * (a.places + b.places)
  const met = as.map(() => new Uint32Array((bs.length + 31) >>> 5))
  const difference = a.groups * b.shapes.length - b.groups * a.shapes.length || a.places - b.places
  if (difference <= 0) {
    findEnds(a, b, work, (x, ys, count) => {
      const row = met[x]
      if (row) for (let i = 0; i < count; i++) setBit(row, ys[i] ?? 0)
    })
  } else {
    findEnds(b, a, work, (y, xs, count) => {
      for (let i = 0; i < count; i++) {
        const row = met[xs[i] ?? 0]
        if (row) setBit(row, y)
      }
    })
  }
  return met
}

/** Tells for each group of `lines`, which are put together, the first so many of a list: groups of `sides` that it meets. */
function findEnds(
  lines: Side,
  sides: Side,
  work: Work,
  found: (line: number, sides: Uint16Array, count: number) => void,
): void {
  const { net, turned } = smallestNet(lines.shapes, lines.groups, sides.shapes)
  const track = trackOf<number, CharSet>(sides.shapes.map(({ line }) => (turned ? backwards(line) : line)))
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { group }] of sides.shapes.entries()) groupAt[(track.offsets[i + 1] ?? 0) - 1] = group
  const rows = readNet(net, track, labelMoves(track, work), work)
  const ends = new Uint16Array(sides.shapes.length)
  for (let group = 0; group < lines.groups; group++) {
    const count = listCommon(rows.subarray(group * track.words, (group + 1) * track.words), track.ends, ends)
    for (let i = 0; i < count; i++) ends[i] = groupAt[ends[i] ?? 0] ?? 0
    found(group, ends, count)
    work.steps += count
  }
}

function sideOf(unions: readonly Union[]): Side {
  const shapes: GroupedShape[] = []
  let places = 0
  for (const { segments, index } of unions) {
    for (const segment of segments) {
      for (const line of segment.shapes) {
        shapes.push({ line, group: index })
        places += line.items.length + 1
      }
    }
  }
  return { groups: unions.length, shapes, places }
}
