import type { CharSet } from './char-set.ts'
import { type GroupedShape, type PlannedNet, smallestNet } from './smallest-net.ts'
import type { Work } from './track.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 12

/** From this many steps of reading on it is weighed which of two globs is put together: below, weighing costs as much. */
const STEPS_TO_WEIGH = 32_000

/** By how much the least that reading could take has to be less for weighing it: it takes several times as much. */
const FAR_LESS = 8

/** How many ways are gone while the moves under a class are put together. */
const WAYS_TO_A_CLASS = 4

/** The shapes of all unions of a glob, and in which union each is. */
export interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
  /** The most places of a shape. */
  readonly longest: number
  /** How many classes the shapes have, the same ones counted once. */
  readonly classes: number
}

/** Which shapes are put together, which are read against them, and about how many steps that takes. */
export interface Reading {
  readonly lines: Side
  readonly sides: Side
  readonly planned: PlannedNet
  readonly steps: number
}

/**
 * The glob with more shapes to a union is put together: it shrinks the most. Else the smaller one. Where it shrinks
 * little, and reading the other one against it takes long, what the other way round takes is found out as well.
 */
export function cheaperReading(a: Side, b: Side, work: Work): Reading {
  work.steps += STEPS_TO_PREPARE * (a.places + b.places)
  const difference = a.groups * b.shapes.length - b.groups * a.shapes.length || a.places - b.places
  const [x, y] = difference <= 0 ? [a, b] : [b, a]
  const first = readingOf(x, y)
  if (first.steps < STEPS_TO_WEIGH || stepsOf(y.longest, x) > first.steps / FAR_LESS) return first
  work.steps += STEPS_TO_PREPARE * y.places
  const second = readingOf(y, x)
  return second.steps < first.steps ? second : first
}

function readingOf(lines: Side, sides: Side): Reading {
  const planned = smallestNet(lines.shapes, lines.groups, sides.shapes)
  return { lines, sides, planned, steps: stepsOf(planned.ways + WAYS_TO_A_CLASS * lines.classes, sides) }
}

/** What going so many ways takes, each of which is gone by all that is read. */
function stepsOf(ways: number, { places }: Side): number {
  return ways * (places >>> 5)
}

/** The shapes of unions. */
export function sideOf(unions: readonly Union[]): Side {
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
