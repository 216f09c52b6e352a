import { remembered } from '../remembered.ts'
import { alikeOnce, bitsOf, numbersOf, turnedOver } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { labelMoves } from './label-moves.ts'
import { sideBySide } from './layout.ts'
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

/** How many ways are gone while the moves under a class are put together. */
const WAYS_TO_A_CLASS = 4

/** The shapes of all unions of a glob, and in which union each is. */
interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
  /** The most places of a shape. */
  readonly longest: number
  /** How many classes the shapes have, the same ones counted once. */
  readonly classes: number
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
  const reading = cheaperReading(a, b, work)
  const met = meetingsOfLines(reading, work)
  return reading.lines === a ? met : turnedOver(met, a.groups)
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
  const rows = planned.ways + WAYS_TO_A_CLASS * lines.classes
  return { lines, sides, planned, steps: rows * (sides.places >>> 5) }
}

/** For each group of lines, which are put together, the groups of sides that it meets. Most of a list meet the same ones. */
function meetingsOfLines({ lines, sides, planned: { net, turned } }: Reading, work: Work): readonly Uint32Array[] {
  const shapes = sides.shapes.map(({ line }) => (turned ? backwards(line) : line))
  const track = trackOf<number, CharSet>(shapes, sideBySide(shapes))
  const rows = readNet(net(), track, labelMoves(track, work), work)
  const endings = Array.from(track.ends.keys()).filter((w) => track.ends[w] !== 0)
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { line, group }] of sides.shapes.entries()) {
    groupAt[(track.offsets[i] ?? 0) + track.pitch * line.items.length] = group
  }
  const groupsAt = endings.flatMap((w) => Array.from(groupAt.subarray(32 * w, 32 * w + 32)))
  const endsOf = (group: number) => {
    const ends = new Uint32Array(endings.length)
    for (let i = 0; i < ends.length; i++) {
      const w = endings[i] ?? 0
      ends[i] = (rows[group * track.words + w] ?? 0) & (track.ends[w] ?? 0)
    }
    return ends
  }
  const ends = Array.from({ length: lines.groups }, (_, group) => endsOf(group))
  work.steps += (lines.groups * track.words) >>> 3
  const words = (sides.groups + 31) >>> 5
  const groupsOf = (row: Uint32Array) => {
    const groups = numbersOf(row).map((place) => groupsAt[place] ?? 0)
    work.steps += groups.length
    return bitsOf(groups, words)
  }
  const known = new Map<Uint32Array, Uint32Array>()
  return alikeOnce(ends).map((row) => remembered(known, row, () => groupsOf(row)))
}

function sideOf(unions: readonly Union[]): Side {
  const shapes: GroupedShape[] = []
  const classes = new Set<CharSet>()
  let [places, longest] = [0, 0]
  for (const { segments, index } of unions) {
    for (const segment of segments) {
      for (const line of segment.shapes) {
        shapes.push({ line, group: index })
        places += line.items.length + 1
        longest = Math.max(longest, line.items.length + 1)
        for (const { by } of line.jumps) classes.add(by)
      }
    }
  }
  return { groups: unions.length, shapes, places, longest, classes: classes.size }
}
