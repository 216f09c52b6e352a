import type { FileChange } from '../../changes/file-change.ts'
import { limitChanges } from '../../changes/limit-changes.ts'
import type { CommandContext } from '../command-context.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { readChangedFiles } from '../git/changed-files.ts'

/** The changed files and lines as a field of a request; absent where they are not known. */
export interface ChangesField {
  changes?: { head_sha?: string; files: object[] }
}

/** The changes of the branch, if it is checked out here. Prints a note where files are left out for their names. */
export async function changesField(
  { tree, terminal, branch }: CommandContext,
  base: BaseBranch | null,
): Promise<ChangesField> {
  const isCheckedOut = tree !== undefined && tree.branch === branch
  const found = isCheckedOut ? await readChangedFiles(tree, base, terminal.changesLimitMs) : undefined
  if (!found) return {}
  const { head, files: changed, unreadable } = found
  if (unreadable > 0) {
    const [files, their] = unreadable === 1 ? ['file does', 'its name is'] : ['files do', 'their names are']
    terminal.err(`Note: ${unreadable} changed ${files} not count, since ${their} not UTF-8.`)
  }
  return { changes: { ...(head !== null && { head_sha: head }), files: limitChanges(changed).map(toField) } }
}

/** Without the fields that are not known. */
function toField({ path, previous_path, status, lines }: FileChange): object {
  return { path, ...(previous_path !== null && { previous_path }), status, ...(lines !== null && { lines }) }
}
