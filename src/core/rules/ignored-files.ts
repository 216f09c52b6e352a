import { type AttributeRules, isIgnoredByAttributes } from '../changes/git-attributes.ts'
import { getOrCreate } from '../lib/maps.ts'
import type { Glob } from '../scope/glob/glob.ts'
import { matchesPath } from '../scope/match/matches-path.ts'

/** Decides which changed files do not count (docs/rules.md#ignored-files). Each path is decided once. */
export function ignoredFiles(
  ignoredPaths: readonly Glob[],
  attributes: AttributeRules | null,
): (path: string) => boolean {
  const known = new Map<string, boolean>()
  // As one glob, so that a path is split only once.
  const ignored = { patterns: ignoredPaths.flatMap(({ patterns }) => patterns) }
  return (path) =>
    getOrCreate(
      known,
      path,
      () => matchesPath(ignored, path) || (attributes !== null && isIgnoredByAttributes(path, attributes)),
    )
}
