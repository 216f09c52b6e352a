import { betterEnds, type Ends } from './better-ends.ts'
import type { CharSet } from './char-set.ts'
import type { GroupedShape, Part } from './smallest-net.ts'
import type { Work } from './track.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 12

/** From this many steps on it is weighed which of two globs is put together: below, weighing costs as much. */
const STEPS_TO_WEIGH = 64_000

/** Fewer shapes than this are long ones, which share more than is guessed. */
const LIST = 32

/** How many nodes are read while the moves under a class are put together. */
const NODES_TO_A_CLASS = 5

/** How many times as many places more are reached of a shape with a gap, in which it stays. */
const MORE_IN_GAPS = 2

/** The shapes of all unions of a glob, and in which union each is. */
export interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
  /** Those of shapes with a gap. */
  readonly gappedPlaces: number
  /** How far their gaps are from the beginnings of shapes, less how far from the ends. */
  readonly lateness: number
  /** How many classes the shapes have, the same ones counted once. */
  readonly classes: number
}

/** Which shapes are put together, and which they are read against. */
export interface Reading {
  readonly lines: Side
  readonly sides: Side
  /** The shapes of the lines by the end from which they are read. */
  readonly parts: readonly Part[]
}

/**
 * The glob with more shapes to a union is put together: it shrinks the most. Else the smaller one. Where reading two lists
 * could take long, the one for which it takes less. From a gap on most places are reached, so that gaps are best read
 * late: only of lists it is weighed from which end they share more.
 */
export function cheaperReading(a: Side, b: Side, work: Work): Reading {
  work.steps += STEPS_TO_PREPARE * (a.places + b.places)
  const difference = a.groups * b.shapes.length - b.groups * a.shapes.length || a.places - b.places
  const [x, y] = difference <= 0 ? [a, b] : [b, a]
  const late = a.lateness + b.lateness >= 0
  if (Math.min(x.shapes.length, y.shapes.length) < LIST) {
    return { lines: x, sides: y, parts: [{ shapes: x.shapes, turned: !late }] }
  }
  const ends = betterEnds(x.shapes, late)
  const other = (x.places * y.places) / 32 >= STEPS_TO_WEIGH ? betterEnds(y.shapes, late) : null
  return other !== null && stepsToRead(other, y, x) < stepsToRead(ends, x, y)
    ? { lines: y, sides: x, parts: other.parts }
    : { lines: x, sides: y, parts: ends.parts }
}

/** About how many steps it takes to read shapes that are put together: each of their nodes against all of the others. */
function stepsToRead({ nodes }: Ends, { classes }: Side, { places, gappedPlaces }: Side): number {
  return (nodes * (places + MORE_IN_GAPS * gappedPlaces) + NODES_TO_A_CLASS * classes * places) / 32
}

/** The shapes of unions. */
export function sideOf(unions: readonly Union[]): Side {
  const shapes: GroupedShape[] = []
  const classes = new Set<CharSet>()
  let [places, gappedPlaces, lateness] = [0, 0, 0]
  for (const { segments, index } of unions) {
    for (const segment of segments) {
      for (const line of segment.shapes) {
        shapes.push({ line, group: index })
        const { items, gaps, jumps } = line
        places += items.length + 1
        for (const { by } of jumps) classes.add(by)
        const first = gaps[0]
        if (first === undefined) continue
        gappedPlaces += items.length + 1
        lateness += first + (gaps[gaps.length - 1] ?? 0) - items.length
      }
    }
  }
  return { groups: unions.length, shapes, places, gappedPlaces, lateness, classes: classes.size }
}
