import type { ChangedLines } from './file-change.ts'
import { linesOfSpans, type Span } from './spans.ts'

/** The groups: first line and number of lines of the old side, then of the new side. A number that is left out is 1. */
export const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** How many lines a file gains and loses. */
interface LineCounts {
  additions: number
  deletions: number
}

interface ReadHunk extends LineCounts {
  spans: Span[]
  firstOld: number
  lastOld: number
  /** Where the lines continue after it. */
  next: number
}

/**
 * The changed lines of the old side, without context, of a file's hunks with any amount of context. They are not known where
 * the text is not whole: a hunk that does not have the lines that its header says, text between hunks, or other counts than the
 * expected ones.
 */
export function changedLines(patch: string, expected?: LineCounts): ChangedLines {
  const lines = patch.replace(/\n$/, '').split('\n')
  const spans: Span[] = []
  let [additions, deletions, lastOld] = [0, 0, 0]
  for (let at = 0; at < lines.length; ) {
    const hunk = readHunk(lines, at)
    if (hunk === null || hunk.firstOld <= lastOld) return { lines: null }
    spans.push(...hunk.spans)
    additions += hunk.additions
    deletions += hunk.deletions
    lastOld = hunk.lastOld
    at = hunk.next
  }
  const isWhole = !expected || (expected.additions === additions && expected.deletions === deletions)
  return isWhole ? linesOfSpans(spans) : { lines: null }
}

function readHunk(lines: readonly string[], at: number): ReadHunk | null {
  const header = hunkHeader.exec(lines[at] ?? '')
  if (!header) return null
  const [, start, oldCount = '1', , newCount = '1'] = header
  // A hunk without lines of the old side names the line before it.
  const firstOld = Number(start) + (oldCount === '0' ? 1 : 0)
  const lastOld = firstOld + Number(oldCount) - 1
  const spans: Span[] = []
  let [additions, deletions, context] = [0, 0, 0]
  let runStart: number | null = null
  let next = at + 1
  const old = () => firstOld + deletions + context
  const endRun = () => {
    if (runStart !== null) spans.push([runStart - 1, old() - 1])
    runStart = null
  }
  for (; old() <= lastOld || additions + context < Number(newCount); next++) {
    const sign = lines[next]?.[0]
    if (sign === ' ') {
      endRun()
      context++
    } else if (sign === '+' || sign === '-') {
      runStart ??= old()
      if (sign === '+') additions++
      else deletions++
    } else if (sign !== '\\') return null
  }
  endRun()
  while (lines[next]?.startsWith('\\')) next++
  const isWhole = old() === lastOld + 1 && additions + context === Number(newCount)
  return isWhole ? { spans, additions, deletions, firstOld, lastOld, next } : null
}
