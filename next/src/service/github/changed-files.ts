import type { ChangesInput } from '../../core/schemas/changes.ts'
import { type StoredFile, storedFiles } from '../records/changes.ts'
import type { GithubFile } from './read-head.ts'

type File = ChangesInput['files'][number]

const most = { filesWithLines: 300, pathBytes: 1_024 }

/** The files of a pull request as they are stored. Those with too long paths are left out. */
export function storedGithubFiles(files: GithubFile[]): StoredFile[] {
  const kept = files.filter(({ filename, previous_filename: previous = '' }) =>
    [filename, previous].every((path) => Buffer.byteLength(path) <= most.pathBytes),
  )
  const changed = kept.map((file, index) => changedFile(file, index < most.filesWithLines))
  return storedFiles({ files: changed })
}

const statuses: Readonly<Record<string, File['status']>> = {
  added: 'added',
  copied: 'added',
  removed: 'removed',
  renamed: 'renamed',
}

function changedFile(file: GithubFile, withLines: boolean): File {
  const status = statuses[file.status] ?? 'modified'
  const previous = status === 'renamed' ? (file.previous_filename ?? null) : null
  return {
    path: file.filename,
    status,
    lines: withLines ? linesOf(file, status) : null,
    previous_path: previous,
  }
}

/** Empty: changed as a whole. Null: not known. */
function linesOf({ patch, additions, deletions }: GithubFile, status: File['status']): number[][] | null {
  if (status === 'added') return [[1, 0]]
  if (patch === undefined) return status === 'modified' && additions + deletions === 0 ? [] : null
  return null
}
