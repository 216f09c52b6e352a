import type { FileChange, LineRange } from '../../changes/file-change.ts'
import { limitChanges } from '../../changes/limit-changes.ts'
import type { CommandContext } from '../command-context.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { type ChangedFiles, readChangedFiles } from '../git/changed-files.ts'

export type ChangedFileField = Pick<FileChange, 'path' | 'status'> & {
  previous_path?: string
  lines?: readonly LineRange[]
}

/** The changed files and lines as a field of a request; absent where they are not known. */
export interface ChangesField {
  changes?: { head_sha?: string; files: ChangedFileField[] }
}

/** The changes of the branch, if it is checked out here. Prints a note where files are left out for their names. */
export async function changesField(context: CommandContext, base: BaseBranch | null): Promise<ChangesField> {
  const found = await readChanges(context, base)
  if (!found) return {}
  const { terminal } = context
  const { unreadable } = found
  if (unreadable > 0) {
    const [files, their] = unreadable === 1 ? ['file does', 'its name is'] : ['files do', 'their names are']
    terminal.err(`Note: ${unreadable} changed ${files} not count, since ${their} not UTF-8.`)
  }
  return toChangesField(found)
}

/** The changed files of the branch, if it is checked out here and they are known. */
export async function readChanges(
  { tree, terminal, branch }: CommandContext,
  base: BaseBranch | null,
): Promise<ChangedFiles | undefined> {
  const isCheckedOut = tree !== undefined && tree.branch === branch
  return isCheckedOut ? readChangedFiles(tree, base, terminal.changesLimitMs) : undefined
}

export function toChangesField({ head, files }: Pick<ChangedFiles, 'head' | 'files'>): ChangesField {
  return { changes: { ...(head !== null && { head_sha: head }), files: limitChanges(files).map(toField) } }
}

/** Without the fields that are not known. */
function toField({ path, previous_path, status, lines }: FileChange): ChangedFileField {
  return { path, ...(previous_path !== null && { previous_path }), status, ...(lines !== null && { lines }) }
}
