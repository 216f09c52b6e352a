import type { Glob } from './glob.ts'
import { isFileName, type PathPattern } from './path-pattern.ts'
import { dottedSegment, type Segment } from './segment.ts'
import { segmentsMeet } from './segment-meet.ts'

/**
 * What a path of the glob can begin with, for finding candidates by an index: the whole literal segments at the front of
 * each alternative, each with a final `/`; distinct, and empty where it begins with a wildcard. Where two globs meet, a
 * key of the one begins with a key of the other.
 */
export function globKeys(glob: Glob): string[] {
  return [...new Set(glob.paths.map(({ key }) => key))]
}

/**
 * What a path of the glob can end with, reversed: the literal end of each alternative's last segment; distinct, and
 * empty where the end is open. Where two globs meet, a tail of the one begins with a tail of the other.
 *
 * A file ends in its own name although paths below it may count. They do only where the other glob takes the file's place
 * with a segment that could be its name, so it is such a glob whose end is taken for open.
 */
export function globTails(glob: Glob): string[] {
  return [...new Set(glob.paths.map(tailOf))]
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

/** The key and the tail of each alternative together. */
export function globEnds(glob: Glob): { key: string; tail: string }[] {
  return glob.paths.map((path) => ({ key: path.key, tail: tailOf(path) }))
}
