import { closestSpans, type Span } from '../changes/spans.ts'
import type { Severity } from '../enums.ts'
import type { ChangedFile } from './files.ts'

/** Of a file that both change: how much it counts, and the places that are closest. */
export interface InFile {
  /** Null: near, and no overlap. */
  severity: Severity | null
  by: 'lines' | 'file'
  /** Whether it is known that the two merge. */
  isApart: boolean
  ours: readonly Span[]
  theirs: readonly Span[]
}

/** Git can not merge two changes of a file where no unchanged line is between the two. */
export function meetInFile(a: ChangedFile, b: ChangedFile): InFile {
  const closest = closestSpans(a.spans, b.spans)
  const between = closest?.distance
  const places = { ours: closest?.ours ?? [], theirs: closest?.theirs ?? [] }
  if (between === 0) return { severity: 'high', by: 'lines', isApart: false, ...places }
  if (!a.hasAllLines || !b.hasAllLines) {
    if (a.status !== 'modified' || b.status !== 'modified') return wholeFile('high')
    return between === 1 ? { severity: 'medium', by: 'lines', isApart: false, ...places } : wholeFile('low')
  }
  const wholeCount = [a, b].filter(({ spans }) => spans.length === 0).length
  if (wholeCount > 0) return wholeFile(wholeCount === 2 ? 'high' : null)
  const severity = between === 1 ? 'medium' : null
  return { severity, by: 'lines', isApart: severity === null, ...places }
}

function wholeFile(severity: Severity | null): InFile {
  return { severity, by: 'file', isApart: false, ours: [], theirs: [] }
}
