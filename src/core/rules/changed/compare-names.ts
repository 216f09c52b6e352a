import type { Severity } from '../../enums.ts'
import type { Glob } from '../../scope/glob/glob.ts'
import { isWide, literalPaths } from '../../scope/literal-paths.ts'
import { matchesPath } from '../../scope/match/matches-path.ts'
import type { Steps } from '../../scope/match/wildcard-sequence.ts'
import type { ParsedScope } from '../../scope/parse-scope.ts'
import type { ChangedPath, ComparableWork } from './changed-work.ts'
import type { CountingRules, FileOverlap } from './compare-changes.ts'
import { directoryNamed, mayBeNamed } from './unnamed-file.ts'

/** The paths of a scope, ready to be compared with changed files. */
export interface NamedPaths {
  /** Named without wildcards. */
  literal: readonly string[]
  /** Globs that cover more than single files, and those that the settings give the areas of the scope; as one, so that a path is split only once. */
  wide: Pick<Glob, 'patterns'>
}

export function namedPaths({ globs, areaGlobs }: Pick<ParsedScope, 'globs' | 'areaGlobs'>): NamedPaths {
  const wide = [...globs.filter(isWide), ...areaGlobs.map(({ glob }) => glob)]
  return { literal: literalPaths(globs), wide: { patterns: wide.flatMap(({ patterns }) => patterns) } }
}

/**
 * Which files of some work the paths name or cover (docs/rules.md#counts). A named file is an overlap of `low` severity, as the
 * proposal's lines are not known, or of `high` where the other work adds or removes it, as no line of it is left to others. A
 * covered one is nearby, and one is enough. Files that the proposal changes are left out.
 */
export function compareNames(
  { literal, wide }: NamedPaths,
  ours: ComparableWork | null,
  theirs: ComparableWork,
  rules: CountingRules,
  work?: Steps,
): FileOverlap[] {
  const counts = (path: string) => !ours?.byPath.has(path) && !rules.isIgnored(path)
  const named: FileOverlap[] = []
  const isWideWork = theirs.work.filesTotal > rules.maxFiles
  if (work) work.steps += 2 * literal.length
  for (const path of literal) {
    const changed = theirs.byPath.get(path)?.[0]
    if (changed !== undefined && counts(path))
      named.push(fileOverlap(path, changed, 'named', rules.isHot(path) ? null : severityOfName(changed, isWideWork)))
  }
  if (named.length > 0 || wide.patterns.length === 0) return named
  for (const [path, [changed]] of theirs.byPath) {
    if (!changed || !matchesPath(wide, path, work) || !counts(path)) continue
    const file = fileOverlap(path, changed, 'covered', null)
    const { hidesWords = false } = theirs.work
    if (mayBeNamed([{ kind: changed.kind, hidesWords }])) return [file]
    return [{ ...file, unnamed: { below: directoryNamed(path, wide.patterns) } }]
  }
  return []
}

/** Wide work that is merely named counts `low`. */
function severityOfName({ kind }: ChangedPath, isWideWork: boolean): Severity {
  return kind === 'modified' || isWideWork ? 'low' : 'high'
}

function fileOverlap(
  path: string,
  { change }: ChangedPath,
  proximity: 'named' | 'covered',
  severity: Severity | null,
): FileOverlap {
  return { path, severity, proximity, distance: null, lines: null, theirLines: null, change: null, theirChange: change }
}
