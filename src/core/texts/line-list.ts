import type { LineRange } from '../changes/file-change.ts'
import { joinFirst } from './join-words.ts'

/** A text names at most this many ranges of lines. */
const mostRanges = 3

/** `12–20, 31 and 2 more` */
export function rangeList(ranges: readonly LineRange[], most = mostRanges): string {
  return joinFirst(
    ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)),
    most,
  )
}

/** `line 12`, or `lines 12–20, 31 and 2 more`; empty without lines. */
export function lineList(ranges: readonly LineRange[], most = mostRanges): string {
  if (ranges.length === 0) return ''
  const isOne = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1]
  return `${isOne ? 'line' : 'lines'} ${rangeList(ranges, most)}`
}
