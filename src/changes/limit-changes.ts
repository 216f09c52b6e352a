import type { FileChange, LineRange } from './file-change.ts'
import { changesLimits } from './limits.ts'

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
  return withinBytes(mostScattered(files).map((file) => ({ ...file, lines: fewerRanges(file.lines) })))
}

function fewerRanges(lines: FileChange['lines']): FileChange['lines'] {
  if (lines === null || lines.length <= changesLimits.ranges) return lines
  const joined = joinClose(lines)
  return joined.length <= changesLimits.ranges ? joined : null
}

function joinClose(lines: readonly LineRange[]): LineRange[] {
  const joined: [number, number][] = []
  for (const [first, last] of [...lines].sort((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1)
    if (previous && first - previous[1] < joinDistance) {
      // Line 0 is an insertion before line 1, and no other range begins there.
      previous[0] = Math.max(previous[0], 1)
      previous[1] = Math.max(previous[1], last)
    } else joined.push([first, last])
  }
  return joined
}

/** As many files as may be sent, in the order of their paths. */
function mostScattered(files: readonly FileChange[]): FileChange[] {
  const sorted = [...files].sort(byPath)
  if (sorted.length <= changesLimits.files) return sorted
  const counts = new Map<string, number>()
  for (const { path } of sorted) counts.set(directoryOf(path), (counts.get(directoryOf(path)) ?? 0) + 1)
  const countOf = ({ path }: FileChange) => counts.get(directoryOf(path)) ?? 0
  const kept = sorted.toSorted((a, b) => countOf(a) - countOf(b)).slice(0, changesLimits.files)
  return kept.sort(byPath)
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function byPath(a: FileChange, b: FileChange): number {
  return a.path < b.path ? -1 : 1
}

function withinBytes(files: FileChange[]): FileChange[] {
  let excess = files.reduce((sum, file) => sum + bytesOf(file), 0) - maxBytes
  if (excess <= 0) return files
  const left = [...files]
  for (const file of files.toSorted((a, b) => (b.lines?.length ?? 0) - (a.lines?.length ?? 0))) {
    if (excess <= 0) break
    const shorter = { ...file, lines: null }
    excess -= bytesOf(file) - bytesOf(shorter)
    left[left.indexOf(file)] = shorter
  }
  while (excess > 0) excess -= bytesOf(left.pop())
  return left
}

function bytesOf(file: FileChange | undefined): number {
  return file === undefined ? 0 : new TextEncoder().encode(JSON.stringify(file)).length + 1
}
