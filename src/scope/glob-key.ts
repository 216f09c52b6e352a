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
  readonly extent: Extent
}

/** How much of what lies at its key a reading means: some of it (or that can't be told), all of it, or the one file there. */
export type Extent = typeof PART | typeof WHOLE | typeof FILE
export const PART = 0
export const WHOLE = 1
export const FILE = 2

/**
 * The ends of a glob's readings, for finding candidates by an index. Where two globs meet, there is a reading of each so
 * that of their two keys one begins with the other, and of their two tails as well.
 *
 * A file ends in its own name although paths below it may count. They do only where the other glob takes the file's place
 * with a segment that could be its name, so it is such a glob whose end is taken for open.
 */
export function globEnds(glob: Glob): GlobEnds[] {
  return glob.paths.map((path) => ({ key: path.key, tail: tailOf(path), extent: extentOf(path) }))
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

function extentOf({ items, gaps, key, filePath }: PathPattern): Extent {
  const named = items.at(-1)?.all ? items.slice(0, -1) : items
  // Not where something before its end is wild, or a bracket, which ends the key by its own text as well.
  if (key !== named.map(({ name }) => `${name}/`).join('')) return PART
  if (filePath !== null) return FILE
  return gaps.length === 1 && gaps[0] === named.length ? WHOLE : PART
}
