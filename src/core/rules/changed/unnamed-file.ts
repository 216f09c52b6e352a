import type { PathPattern } from '../../scope/glob/path-pattern.ts'
import type { ChangedPath, ChangedWork } from './changed-work.ts'

/** A new file that no text may name, as its name is the wording of somebody outside of the project (docs/rules.md#strangers-words). */
export interface UnnamedFile {
  /** The directory above it that the other side names; null if it names none. */
  below: string | null
}

/** What one side of a comparison does at a path. */
export type NamingSide = Pick<ChangedPath, 'kind'> & Pick<ChangedWork, 'hidesWords'>

/** Whether texts may name a path that these sides change: it is on the base, or somebody of the project changes it. */
export function mayBeNamed(sides: readonly NamingSide[]): boolean {
  return sides.some(({ kind, hidesWords }) => kind !== 'added' || !hidesWords)
}

/** The deepest directory above the path that one of these patterns, all of the project, spells out. */
export function directoryNamed(path: string, patterns: readonly Pick<PathPattern, 'head'>[]): string | null {
  const directories = patterns.map(({ head }) => directoryOf(head)).filter((name) => path.startsWith(`${name}/`))
  return directories.reduce<string | null>(
    (deepest, name) => (name.length > (deepest?.length ?? 0) ? name : deepest),
    null,
  )
}

/** The directory in which all paths lie that begin with this text. */
export function directoryOf(head: string): string {
  return head.slice(0, Math.max(0, head.lastIndexOf('/')))
}
