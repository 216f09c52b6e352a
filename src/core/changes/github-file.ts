import type { ChangedFile } from './changed-file.ts'
import { type LineCounts, linesOfPatch } from './patch.ts'
import { newFile } from './spans.ts'

/** A file as `GET /repos/{owner}/{repo}/pulls/{number}/files` lists it. */
export interface GithubFile extends LineCounts {
  filename: string
  previous_filename?: string
  status: string
  /** GitHub leaves it out for binary files, large patches, and where no line is changed. */
  patch?: string
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  added: 'added',
  copied: 'added',
  removed: 'removed',
  renamed: 'renamed',
}

/** The change of a file of a pull request. Its lines are not known where the patch does not surely show all of them. */
export function changeOfGithubFile(file: GithubFile): ChangedFile {
  const status = statuses[file.status] ?? 'modified'
  return {
    path: file.filename,
    previous_path: status === 'renamed' ? (file.previous_filename ?? null) : null,
    status,
    lines: linesOf(file, status),
  }
}

function linesOf(file: GithubFile, status: ChangedFile['status']): number[][] | null {
  if (status === 'added') return newFile
  if (file.patch !== undefined) return linesOfPatch(file.patch, file)
  // Binary, or of another mode.
  return status === 'modified' && file.additions + file.deletions === 0 ? [] : null
}
