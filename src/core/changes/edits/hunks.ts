import { joinSpans, type Span } from '../spans.ts'
import { hunkHeader } from '../unified-diff.ts'

/** A change of a text: the gaps that it fills in the old text and in the new one. */
export interface Hunk {
  before: Span
  after: Span
}

/** The hunks in the patch of one file, without context (`git diff -U0`). */
export function hunksOf(patch: string): Hunk[] {
  return patch.split('\n').flatMap((line) => {
    const found = hunkHeader.exec(line)
    if (!found) return []
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] = found
    return [{ before: spanAt(Number(oldStart), Number(oldCount)), after: spanAt(Number(newStart), Number(newCount)) }]
  })
}

/** A side without lines names the line before it. */
function spanAt(start: number, count: number): Span {
  return count === 0 ? [start, start] : [start - 1, start - 1 + count]
}

/** Where a span of the new text was in the old one. A hunk that it begins or ends in belongs to it as a whole. */
export function moveBack([from, to]: Span, hunks: readonly Hunk[]): Span {
  return [moveGap(from, hunks)[0], moveGap(to, hunks)[1]]
}

function moveGap(gap: number, hunks: readonly Hunk[]): Span {
  let shift = 0
  for (const { before, after } of hunks) {
    if (gap < after[0]) break
    if (gap === after[0] && gap < after[1]) return [before[0], before[0]]
    if (gap === after[1] && gap > after[0]) return [before[1], before[1]]
    if (gap <= after[1]) return before
    shift = before[1] - after[1]
  }
  return [gap + shift, gap + shift]
}

/** The changes of the old text by the hunks, and by further changes of the new text. */
export function withSpans(hunks: readonly Hunk[], spans: readonly Span[]): Span[] {
  return joinSpans([...hunks.map(({ before }) => before), ...spans.map((span) => moveBack(span, hunks))])
}
