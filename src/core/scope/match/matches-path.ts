import type { Glob } from '../glob/glob.ts'
import type { PathPattern } from '../glob/path-pattern.ts'
import { Segment } from '../glob/segment.ts'
import { segmentsIntersect } from './segments.ts'
import { type Steps, sequencesIntersect } from './wildcard-sequence.ts'

/**
 * Whether a glob matches the path of a file. The path is literal, as git names it, without segments `.` and `..`. A path
 * below a file that the glob names does not match. Counts the work.
 */
export function matchesPath({ patterns }: Pick<Glob, 'patterns'>, path: string, work: Steps = { steps: 0 }): boolean {
  work.steps += 1 + patterns.length
  const candidates = patterns.filter((pattern) => endsAgree(pattern, path))
  if (candidates.length === 0) return false
  work.steps += 3 * path.length
  const names = { items: path.split('/').map((name) => new Segment(name)), stars: [] }
  return candidates.some((pattern) => sequencesIntersect(pattern, names, segmentsIntersect, work))
}

/** Whether the path has the literal head and tail of the pattern. Rules out most patterns at little cost. */
function endsAgree({ head, tail }: PathPattern, path: string): boolean {
  return path.endsWith(tail) && `${path}/`.startsWith(head)
}
