import type { ChangedFile } from './changed-file.ts'

/** What is kept of changes, a client's and GitHub's. */
export const mostFiles = 3_000
export const mostCommits = 250
const mostWithLines = 300
const mostRanges = 100

/** The first files with their lines; of the others, and of a file with very many places, the lines count as not known. */
export function withinLimits(files: readonly ChangedFile[]): ChangedFile[] {
  return files.slice(0, mostFiles).map((file, index) => {
    const isKept = index < mostWithLines && (file.lines?.length ?? 0) <= mostRanges
    return isKept ? file : { ...file, lines: null }
  })
}
