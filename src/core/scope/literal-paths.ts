import type { Glob } from './glob/glob.ts'
import type { PathPattern } from './glob/path-pattern.ts'
import type { ParsedScope, ProposedScope } from './parse-scope.ts'

/** The path that a pattern names without wildcards: a file, or a directory and all below it. Null if it has wildcards. */
function literalPath({ filePath, items, stars }: PathPattern): string | null {
  if (filePath !== null) return filePath
  const isDirectory = stars.length === 1 && stars[0] === items.length
  return isDirectory && items.every(({ isLiteral }) => isLiteral) ? items.map(({ name }) => name).join('/') : null
}

/** The paths that globs name without wildcards: files, and directories (a name without an extension may be either). */
export function literalPaths(globs: readonly Glob[]): string[] {
  return [...new Set(globs.flatMap(({ patterns }) => patterns.flatMap((pattern) => literalPath(pattern) ?? [])))]
}

/** Whether a glob names more than single files. */
export function isWide({ patterns }: Glob): boolean {
  return patterns.some(({ filePath }) => filePath === null)
}

/** The scope without these paths, where it names them without wildcards. */
export function withoutPaths<Given extends ParsedScope | ProposedScope>(
  scope: Given,
  paths: ReadonlySet<string>,
): Given {
  if (paths.size === 0) return scope
  const globs = scope.globs.flatMap((glob) => globWithout(glob, paths) ?? [])
  if (!('files' in scope)) return { ...scope, globs }
  const files = new Map([...scope.files].filter(([file]) => !paths.has(file)))
  return { ...scope, globs, files }
}

/** The glob without the alternatives that name one of the paths; null if none is left. */
function globWithout(glob: Glob, paths: ReadonlySet<string>): Glob | null {
  const patterns = glob.patterns.filter((pattern) => {
    const path = literalPath(pattern)
    return path === null || !paths.has(path)
  })
  if (patterns.length === glob.patterns.length) return glob
  if (patterns.length === 0) return null
  return { ...glob, patterns, files: glob.files.filter((file) => !paths.has(file)) }
}
