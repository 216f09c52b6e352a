import { listCommon, setBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { labelMoves } from './label-moves.ts'
import { backwards, type GroupedShape, type PlannedNet, smallestNet } from './smallest-net.ts'
import { trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 8

/** From this many steps of reading on it is weighed which of two globs is put together: below, weighing costs as much. */
const STEPS_TO_WEIGH = 32_000

/** By how much the least that reading could take has to be less for weighing it: it takes several times as much. */
const FAR_LESS = 8

/** The shapes of all unions of a glob, and in which union each is. */
interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
  /** The most places of a shape. */
  readonly longest: number
}

/** Which shapes are put together, which are read against them, and about how many steps that takes. */
interface Reading {
  readonly lines: Side
  readonly sides: Side
  readonly planned: PlannedNet
  readonly steps: number
}

/** For each union of a glob, by its index, the unions of the other that name something it names too, as bits. */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): readonly Uint32Array[] {
  const [a, b] = [sideOf(as), sideOf(bs)]
  work.steps += STEPS_TO_PREPARE * (a.places + b.places)
  const met = as.map(() => new Uint32Array((bs.length + 31) >>> 5))
  const reading = cheaperReading(a, b, work)
  if (reading.lines === a) {
    findEnds(reading, work, (x, ys, count) => {
      const row = met[x]
      if (row) for (let i = 0; i < count; i++) setBit(row, ys[i] ?? 0)
    })
  } else {
    findEnds(reading, work, (y, xs, count) => {
      for (let i = 0; i < count; i++) {
        const row = met[xs[i] ?? 0]
        if (row) setBit(row, y)
      }
    })
  }
  return met
}

/**
 * The glob with more shapes to a union is put together: it shrinks the most. Else the smaller one. Where it shrinks
 * little, and reading the other one against it takes long, what the other way round takes is found out as well.
 */
function cheaperReading(a: Side, b: Side, work: Work): Reading {
  const difference = a.groups * b.shapes.length - b.groups * a.shapes.length || a.places - b.places
  const [x, y] = difference <= 0 ? [a, b] : [b, a]
  const first = readingOf(x, y)
  if (first.steps < STEPS_TO_WEIGH || FAR_LESS * y.longest * x.places > 32 * first.steps) return first
  work.steps += STEPS_TO_PREPARE * y.places
  const second = readingOf(y, x)
  return second.steps < first.steps ? second : first
}

function readingOf(lines: Side, sides: Side): Reading {
  const planned = smallestNet(lines.shapes, lines.groups, sides.shapes)
  return { lines, sides, planned, steps: planned.ways * (sides.places >>> 5) }
}

/** Tells for each group of lines, which are put together, the first so many of a list: groups of sides that it meets. */
function findEnds(
  { lines, sides, planned: { net, turned } }: Reading,
  work: Work,
  found: (line: number, sides: Uint16Array, count: number) => void,
): void {
  const track = trackOf<number, CharSet>(sides.shapes.map(({ line }) => (turned ? backwards(line) : line)))
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { group }] of sides.shapes.entries()) groupAt[(track.offsets[i + 1] ?? 0) - 1] = group
  const rows = readNet(net(), track, labelMoves(track, work), work)
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
  let [places, longest] = [0, 0]
  for (const { segments, index } of unions) {
    for (const segment of segments) {
      for (const line of segment.shapes) {
        shapes.push({ line, group: index })
        places += line.items.length + 1
        longest = Math.max(longest, line.items.length + 1)
      }
    }
  }
  return { groups: unions.length, shapes, places, longest }
}
