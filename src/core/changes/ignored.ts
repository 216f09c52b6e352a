import { LRUCache } from 'lru-cache'
import { type Glob, globOf } from '../globs/glob.ts'
import { TooCostly } from '../globs/shared.ts'
import { matchesPath } from '../globs/shared-path.ts'

const mostSteps = 100_000
const mostPaths = 5_000

/** Decides which changed files do not count. Most paths are asked for again and again. */
export function ignoredFiles(globs: readonly string[]): (path: string) => boolean {
  const ignored = globs.map(globOf)
  const known = new LRUCache<string, boolean>({
    max: mostPaths,
    memoMethod: (path) => isMatched(ignored, path),
  })
  return (path) => known.memo(path)
}

/** A path that takes too many steps counts. */
function isMatched(globs: readonly Glob[], path: string): boolean {
  const budget = { steps: mostSteps }
  try {
    return globs.some((glob) => matchesPath(glob, path, budget))
  } catch (error) {
    if (error instanceof TooCostly) return false
    throw error
  }
}
