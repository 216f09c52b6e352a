import type { FileChange } from './file-change.ts'

/** The paths that changes name, each once. The old name of a renamed file is one of them. */
export function changedPaths(files: readonly Pick<FileChange, 'path' | 'previous_path'>[]): string[] {
  return [
    ...new Set(files.flatMap(({ path, previous_path }) => (previous_path === null ? path : [path, previous_path]))),
  ]
}

/** Sorts by path, in the order of code units. */
export function byPathOrder(a: { path: string }, b: { path: string }): number {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}
