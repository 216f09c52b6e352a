import type { FileChange } from './file-change.ts'

/** The paths that changes name, each once. The old name of a renamed file is one of them. */
export function changedPaths(files: readonly Pick<FileChange, 'path' | 'previous_path'>[]): string[] {
  return [
    ...new Set(files.flatMap(({ path, previous_path }) => (previous_path === null ? path : [path, previous_path]))),
  ]
}
