import { type Line, restOf, startOf } from './line.ts'
import type { PathPattern } from './path-pattern.ts'
import { anySegment, type Segment } from './segment.ts'

/**
 * Where two readings share a path: pairs of lines of segments, one after the other, both lines of a pair to be fitted by
 * the same stretch of the path. One pair as a rule; for what is below a file three, its own segment in the middle.
 */
export type Meeting = readonly { readonly a: Line<Segment>; readonly b: Line<Segment> }[]

const everything: Line<Segment> = { items: [anySegment], gaps: [0] }

/**
 * The meeting of what lies below the file that `path` names with another line that takes the file's own place by its
 * item `taker`.
 */
export function belowFile(path: PathPattern, other: PathPattern, taker: number): Meeting {
  return [
    { a: startOf(path, path.items.length - 1), b: startOf(other, taker) },
    { a: lineOf(path.file), b: lineOf(other.items[taker]) },
    { a: everything, b: restOf(other, taker + 1) },
  ]
}

/** Whether an item of a path may take a file's place: by more than wildcards, and with something to follow. */
export function takesFile({ items }: Line<Pick<Segment, 'wild'>>, place: number): boolean {
  return place < items.length - 1 && items[place]?.wild === false
}

function lineOf(segment: Segment | null | undefined): Line<Segment> {
  return { items: [segment ?? anySegment], gaps: [] }
}
