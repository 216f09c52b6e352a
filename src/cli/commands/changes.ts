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
  const found = await readChangesWithNote(context, base)
  return found ? toChangesField(found) : {}
}

/** What a check sends of the changed files. */
export interface CheckedChanges extends ChangesField {
  /** Whether all that it is about is known, and was not shortened. */
  isWhole: boolean
  /** The named globs below which nothing is changed, as far as is known. */
  unchanged: readonly string[]
}

/** The changes below the named globs, by the new or the old name of a file; with `all` those elsewhere too. */
export async function checkedChanges(
  context: CommandContext,
  base: BaseBranch | null,
  { named, all }: { named: readonly string[]; all: boolean },
): Promise<CheckedChanges> {
  const found = await readChangesWithNote(context, base)
  if (!found) return { isWhole: false, unchanged: named }
  const within = named.length > 0 ? await changedWithin(found.files) : () => []
  const files = all ? found.files : within(named)
  const field = toChangesField({ ...found, files })
  return {
    ...field,
    isWhole: field.changes?.files.length === files.length,
    unchanged: named.filter((glob) => within([glob]).length === 0),
  }
}

/** Loads what it needs, since most commands need no glob. */
async function changedWithin(files: readonly FileChange[]): Promise<(globs: readonly string[]) => FileChange[]> {
  const [{ parseGlob }, { changesWithin }] = await Promise.all([
    import('../../scope/glob/glob.ts'),
    import('../../changes/changes-within.ts'),
  ])
  const parsed = (text: string) => {
    const result = parseGlob(text)
    // The service will refuse any other.
    return result.ok ? [result.glob] : []
  }
  return (globs) => changesWithin(files, globs.flatMap(parsed))
}

async function readChangesWithNote(context: CommandContext, base: BaseBranch | null) {
  const found = await readChanges(context, base)
  const unreadable = found?.unreadable ?? 0
  if (unreadable > 0) {
    const [files, their] = unreadable === 1 ? ['file does', 'its name is'] : ['files do', 'their names are']
    context.terminal.err(`Note: ${unreadable} changed ${files} not count, since ${their} not UTF-8.`)
  }
  return found
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
