import type { Glob } from './glob.ts'
import { isFileName, type PathPattern } from './path-pattern.ts'
import { dottedSegment, type Segment } from './segment.ts'
import { segmentsMeet } from './segment-meet.ts'

/** What the paths of one reading of a glob begin and end with. */
export interface GlobEnds {
  /** The whole literal segments at its front, each with a final `/`; empty where it begins with a wildcard. */
  readonly key: string
  /** The literal end of its last segment, reversed; empty where the end is open. */
  readonly tail: string
}

/**
 * The ends of a glob's readings, for finding candidates by an index. Where two globs meet, there is a reading of each so
 * that of their two keys one begins with the other, and of their two tails as well.
 *
 * A file ends in its own name although paths below it may count. They do only where the other glob takes the file's place
 * with a segment that could be its name, so it is such a glob whose end is taken for open.
 */
export function globEnds(glob: Glob): GlobEnds[] {
  return glob.paths.map((path) => ({ key: path.key, tail: tailOf(path) }))
}

function tailOf({ items, gaps }: PathPattern): string {
  const last = items.at(-1)
  if (last === undefined || gaps.at(-1) === items.length || items.slice(0, -1).some(couldBeFile)) return ''
  return Array.from(last.tail).reverse().join('')
}

/** Whether some name with an extension is named, and by more than wildcards. */
function couldBeFile(segment: Segment): boolean {
  if (segment.literal && segment.name !== null) return isFileName(segment.name)
  return !segment.wild && segmentsMeet(segment, dottedSegment, { steps: 0 })
}
