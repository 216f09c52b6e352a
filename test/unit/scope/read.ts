import { type Glob, parseGlob } from '../../../src/core/scope/glob/glob.ts'
import { examplePath } from '../../../src/core/scope/match/example-path.ts'
import { intersect } from '../../../src/core/scope/match/intersect.ts'
import { matchesPath } from '../../../src/core/scope/match/matches-path.ts'

/** The glob of this text, which has to be one. */
export function read(text: string): Glob {
  const parsed = parseGlob(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`)
  return parsed.glob
}

/** Whether the glob covers this one path, what is below a file left out. */
export function covers(text: string, path: string): boolean {
  return matchesPath(read(text), path)
}

/** Whether two globs share a path. */
export function globsIntersect(a: string, b: string): boolean {
  return intersect(read(a), read(b)) !== null
}

/** An example of a path that two globs share, or null. */
export function sharedPath(a: string, b: string): string | null {
  const found = intersect(read(a), read(b))
  return found && examplePath(found)
}
