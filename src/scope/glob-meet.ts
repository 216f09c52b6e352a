import type { Glob } from './glob.ts'
import { type Line, linesMeet, restOf, startOf } from './line.ts'
import { findPairAtOnce } from './meet-at-once.ts'
import type { PathPattern } from './path-pattern.ts'
import { anySegment, type Segment } from './segment.ts'
import { segmentsMeet } from './segment-meet.ts'
import type { Work } from './track.ts'

/**
 * Where two readings share a path: lines of segments, one after the other, each of which has to fit both. One pair of
 * lines as a rule; what is below a file is three, the file's own segment in the middle.
 */
export type Meeting = readonly { readonly a: Line<Segment>; readonly b: Line<Segment> }[]

/** Above this product of sizes all alternatives are read at once: more to set up, and bounded. */
const LARGE = 2 ** 18

/** Whether the two globs share a path (glob-dialect.md), exactly. */
export function globsMeet(a: Glob, b: Glob, work: Work = { steps: 0 }): boolean {
  return findMeeting(a, b, work) !== null
}

/**
 * Whether the two globs share a path (glob-dialect.md), exactly, and where: a path that is not below a file if there is
 * one. Null where they share none.
 */
export function findMeeting(a: Glob, b: Glob, work: Work): Meeting | null {
  if (a.size * b.size > LARGE) {
    const pair = findPairAtOnce(a, b, work)
    return pair && findMeetingOf(...pair, work)
  }
  work.steps += 1 + ((a.size * b.size) >>> 4)
  const meets = (x: Segment, y: Segment) => segmentsMeet(x, y, work)
  for (const x of a.paths)
    for (const y of b.paths) if (keysAgree(x, y) && linesMeet(x, y, meets)) return [{ a: x, b: y }]
  for (const x of a.paths) {
    for (const y of b.paths) {
      const below = keysAgree(x, y) && (belowFile(x, y, meets) ?? belowFile(y, x, meets))
      if (below) return below
    }
  }
  return null
}

/** Where two readings share a path, or null. */
export function findMeetingOf(a: PathPattern, b: PathPattern, work: Work): Meeting | null {
  const meets = (x: Segment, y: Segment) => segmentsMeet(x, y, work)
  return linesMeet(a, b, meets) ? [{ a, b }] : (belowFile(a, b, meets) ?? belowFile(b, a, meets))
}

/** Paths of both begin with both keys, so that one begins with the other. Saves most of the work. */
function keysAgree({ key: a }: PathPattern, { key: b }: PathPattern): boolean {
  return a.startsWith(b) || b.startsWith(a)
}

/**
 * Whether the other line meets something below the file that `path` names: only where it takes the file's own place by
 * a segment that is not made of wildcards alone, and goes on behind it.
 */
function belowFile(path: PathPattern, other: PathPattern, meets: (x: Segment, y: Segment) => boolean): Meeting | null {
  const { file } = path
  if (file === null) return null
  for (let i = 0; i < other.items.length - 1; i++) {
    const taker = other.items[i]
    if (taker === undefined || taker.wild || !meets(file, taker)) continue
    const before = { a: startOf(path, path.items.length - 1), b: startOf(other, i) }
    if (!linesMeet(before.a, before.b, meets)) continue
    return [before, { a: lineOf(file), b: lineOf(taker) }, { a: everything, b: restOf(other, i + 1) }]
  }
  return null
}

const everything: Line<Segment> = { items: [anySegment], gaps: [0] }

function lineOf(segment: Segment): Line<Segment> {
  return { items: [segment], gaps: [] }
}
