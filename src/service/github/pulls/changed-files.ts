import { changeOfGithubFile, type GithubFile } from '../../../core/changes/github-file.ts'
import { withinLimits } from '../../../core/changes/limits.ts'
import { storedFiles } from '../../records/changes.ts'
import type { FileColumns } from '../../records/index-rows.ts'

/** The files of a pull request as they are stored. */
export function storedGithubFiles(files: readonly GithubFile[]): FileColumns[] {
  return storedFiles({ files: withinLimits(files.map(changeOfGithubFile)) })
}
