import type { FileChange, FileStatus } from './file-change.ts'
import { changedLines } from './unified-diff.ts'

/** A file as `GET /repos/{owner}/{repo}/pulls/{number}/files` lists it. */
export interface GitHubFile {
  filename: string
  previous_filename?: string | undefined
  status: string
  additions: number
  deletions: number
  /** GitHub leaves it out for binary files, large patches, and where no line is changed. */
  patch?: string | undefined
  /** The object id of the content; of a removed file, of what it was. */
  sha?: string | undefined
}

const statuses: Readonly<Record<string, FileStatus>> = {
  added: 'added',
  copied: 'added',
  removed: 'removed',
  renamed: 'renamed',
}

/** The change of a file of a pull request. The lines are null if the patch does not surely show all of them. */
export function githubFileChange(file: GitHubFile): FileChange {
  const status = statuses[file.status] ?? 'modified'
  return {
    path: file.filename,
    previous_path: status === 'renamed' ? (file.previous_filename ?? null) : null,
    status,
    ...(status === 'removed' ? { blob: null } : file.sha !== undefined && { blob: file.sha }),
    ...(status === 'added'
      ? { lines: [[0, 1]] }
      : file.patch === undefined
        ? { lines: null }
        : changedLines(file.patch, file)),
  }
}
