import { type AttributeRules, isIgnoredByAttributes } from '../changes/git-attributes.ts'
import { matchesAny } from '../changes/ignored.ts'
import { getOrCreate } from '../lib/maps.ts'
import type { Glob } from '../scope/glob/glob.ts'

/** Decides which changed files do not count (docs/rules.md#ignored-files). Each path is decided once. */
export function ignoredFiles(
  ignoredPaths: readonly Glob[],
  attributes: AttributeRules | null,
): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) =>
    getOrCreate(
      known,
      path,
      () => matchesAny(path, ignoredPaths) || (attributes !== null && isIgnoredByAttributes(path, attributes)),
    )
}
