import type { ChangedFile } from './changed-file.ts'

/** What is kept of changes, a client's and GitHub's. */
export const mostFiles = 3_000
export const mostCommits = 250
export const mostPathBytes = 1_024
const mostWithLines = 300
const mostRanges = 100

/**
 * The files that are kept, the first ones with their lines: of the others, and of a file that is changed in very many places, the
 * lines count as not known. Files with very long paths are left out.
 */
export function withinLimits(files: readonly ChangedFile[]): ChangedFile[] {
  const kept = files.filter(({ path, previous_path }) => !isTooLong(path) && !isTooLong(previous_path ?? ''))
  return kept.slice(0, mostFiles).map((file, index) => {
    const hasLines = index < mostWithLines && (file.lines?.length ?? 0) <= mostRanges
    return hasLines ? file : { ...file, lines: null }
  })
}

export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > mostPathBytes
}
