import { byPathOrder } from './changed-paths.ts'
import type { ChangedLines, FileChange } from './file-change.ts'
import { changesLimits } from './limits.ts'
import { linesOfSpans, rangeOf, type Span, spansOfLines } from './spans.ts'

/** Ranges that are closer than this are joined where a file has too many. */
const joinDistance = 10

/** A body with changes may have 1 MiB, and holds the scope and the texts too. */
const maxBytes = 512 * 1024

/**
 * Shortens changes to the service's limits for a client. Close ranges of a file are joined first. Then the lines of
 * files with too many ranges are left out, and of the largest files where the whole is too long. Then files are left
 * out, those in the directories with the most changed files first: the scope still covers their directories.
 */
export function limitChanges(files: readonly FileChange[]): FileChange[] {
  return withinBytes(mostScattered(files).map((file) => ({ ...file, ...fewerRanges(file) })))
}

function fewerRanges({ lines, inserts }: ChangedLines): ChangedLines {
  if (lines === null || lines.length <= changesLimits.ranges) return { lines, inserts }
  const joined = joinClose(spansOfLines({ lines, inserts }))
  return joined.length <= changesLimits.ranges ? linesOfSpans(joined) : { lines: null, inserts: undefined }
}

function joinClose(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1)
    const [first, last] = rangeOf(span)
    const [start, end] = previous ? rangeOf(previous) : [0, Number.NEGATIVE_INFINITY]
    if (first - end >= joinDistance) joined.push(span)
    // Line 0 is an insertion before line 1, and no other range begins there.
    else joined.splice(-1, 1, [Math.max(start, 1) - 1, Math.max(end, last)])
  }
  return joined
}

/** As many files as may be sent, in the order of their paths. */
function mostScattered(files: readonly FileChange[]): FileChange[] {
  const sorted = [...files].sort(byPathOrder)
  if (sorted.length <= changesLimits.files) return sorted
  const counts = new Map<string, number>()
  for (const { path } of sorted) counts.set(directoryOf(path), (counts.get(directoryOf(path)) ?? 0) + 1)
  const countOf = ({ path }: FileChange) => counts.get(directoryOf(path)) ?? 0
  const kept = sorted.toSorted((a, b) => countOf(a) - countOf(b)).slice(0, changesLimits.files)
  return kept.sort(byPathOrder)
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function withinBytes(files: FileChange[]): FileChange[] {
  let excess = files.reduce((sum, file) => sum + bytesOf(file), 0) - maxBytes
  if (excess <= 0) return files
  const left = [...files]
  for (const file of files.toSorted((a, b) => (b.lines?.length ?? 0) - (a.lines?.length ?? 0))) {
    if (excess <= 0) break
    const shorter = { ...file, lines: null, inserts: undefined }
    excess -= bytesOf(file) - bytesOf(shorter)
    left[left.indexOf(file)] = shorter
  }
  while (excess > 0) excess -= bytesOf(left.pop())
  return left
}

function bytesOf(file: FileChange | undefined): number {
  return file === undefined ? 0 : new TextEncoder().encode(JSON.stringify(file)).length + 1
}
