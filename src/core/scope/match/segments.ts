import { charactersIntersect } from '../glob/character.ts'
import type { NamePattern, Segment } from '../glob/segment.ts'
import { fillCells } from './cell-table.ts'
import { headsAgree, tailsAgree } from './literal-ends.ts'
import { type Steps, sequencesIntersect } from './wildcard-sequence.ts'

/** Whether some name matches both segments. */
export function segmentsIntersect(a: Segment, b: Segment, work: Steps): boolean {
  if (a === b || a.matchesAll || b.matchesAll) return true
  if (a.isLiteral && b.isLiteral) return a.name === b.name
  if (a.minLength > b.maxLength || b.minLength > a.maxLength) return false
  if (!headsAgree(a.head, b.head) || !tailsAgree(a.tail, b.tail)) return false
  if (a.isHeadAndTail && (b.isHeadAndTail || b.isLiteral)) return b.isHeadAndTail || fits(a, b)
  if (b.isHeadAndTail && a.isLiteral) return fits(b, a)
  if (a.name !== null && a.name === b.name) return true
  work.steps += 2 + stepsToRead(a) + stepsToRead(b)
  for (const x of a.readings) for (const y of b.readings) if (patternsIntersect(x, y, work)) return true
  return false
}

/** The characters of a literal segment are read anew for each comparison. */
function stepsToRead({ isLiteral, length }: Segment): number {
  return isLiteral ? 3 * length : 0
}

/** Whether a literal name, whose ends agree, is long enough for the head and the tail together. */
function fits({ head, tail }: Segment, literal: Segment): boolean {
  return head.length + tail.length <= literal.head.length
}

/**
 * Two patterns with stars that share a name share one besides `.` and `..`, since anything fits between the longer head and
 * the longer tail. Patterns without stars do not match these two.
 */
function patternsIntersect(a: NamePattern, b: NamePattern, work: Steps): boolean {
  if (a.shortcuts.length === 0 && b.shortcuts.length === 0) {
    return sequencesIntersect(a, b, charactersIntersect, work)
  }
  work.steps += 20 + (a.items.length + 1) * (b.items.length + 1)
  return fillCells(a, b, charactersIntersect).isReached(a.items.length, b.items.length)
}
