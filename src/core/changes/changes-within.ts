import type { Glob } from '../scope/glob/glob.ts'
import { matchesPath } from '../scope/match/matches-path.ts'
import type { FileChange } from './file-change.ts'

/** The changes of the files that one of the globs matches, by their new or their old name. */
export function changesWithin<Change extends Pick<FileChange, 'path' | 'previous_path'>>(
  files: readonly Change[],
  globs: readonly Pick<Glob, 'patterns'>[],
): Change[] {
  // As one glob, so that a path is split only once.
  const all = { patterns: globs.flatMap(({ patterns }) => patterns) }
  const isWithin = (path: string | null) => path !== null && matchesPath(all, path)
  return files.filter(({ path, previous_path }) => isWithin(path) || isWithin(previous_path))
}
