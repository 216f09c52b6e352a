import type { PathPattern } from '../glob/path-pattern.ts'
import { anySegment, type Segment } from '../glob/segment.ts'
import { sequenceBefore, sequenceFrom, type WildcardSequence } from './wildcard-sequence.ts'

/**
 * Where two patterns share a path: pairs of sequences of segments, one after the other. Each pair shares a stretch of the
 * path. There is one pair, or three for a path below a file, the file's own segment in the middle.
 */
export type Intersection = readonly {
  readonly a: WildcardSequence<Segment>
  readonly b: WildcardSequence<Segment>
}[]

const everything: WildcardSequence<Segment> = { items: [anySegment], stars: [0] }

/** The paths below the file of `pattern` that match `other`, whose segment `place` matches the file. */
export function belowFile(pattern: PathPattern, other: PathPattern, place: number): Intersection {
  return [
    { a: sequenceBefore(pattern, pattern.items.length - 1), b: sequenceBefore(other, place) },
    { a: sequenceOf(pattern.file), b: sequenceOf(other.items[place]) },
    { a: everything, b: sequenceFrom(other, place + 1) },
  ]
}

/** Whether a segment of a pattern may match a file with paths below it: not the last one, and not only wildcards. */
export function mayStandForFile({ items }: PathPattern, place: number): boolean {
  return place < items.length - 1 && items[place]?.isWild === false
}

function sequenceOf(segment: Segment | null | undefined): WildcardSequence<Segment> {
  return { items: [segment ?? anySegment], stars: [] }
}
