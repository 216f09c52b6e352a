import { changedPaths } from '../../core/changes/changed-paths.ts'
import { collapsePaths } from '../../core/changes/collapse-paths.ts'
import type { FileChange } from '../../core/changes/file-change.ts'
import { limitChanges } from '../../core/changes/limit-changes.ts'
import { scopePathLimits } from '../../core/scope/glob/limits.ts'
import type { SavedScope } from '../client/work/work-state-file.ts'
import type { WorkTreeChanges } from '../git/read-changes.ts'

export type ChangedFileField = Pick<FileChange, 'path' | 'status'> & {
  previous_path?: string
  lines?: NonNullable<FileChange['lines']>
  inserts?: NonNullable<FileChange['inserts']>
  blob?: string | null
}

/** The changed files and lines as a field of a request; absent where they are not known. */
export interface ChangesField {
  changes?: { head_sha?: string; files: ChangedFileField[] }
}

/** The fields of a request about work: what a person or an agent named, and what is changed. */
export interface WorkFields extends ChangesField {
  scope: SavedScope
}

type KnownChanges = Pick<WorkTreeChanges, 'head' | 'files' | 'note'>

/**
 * What a check and a record send. The service counts changed files as places (docs/rules.md#changed-files-as-places), so the
 * scope has only those that can't be sent as changes.
 */
export function workFields(changes: KnownChanges | undefined, declared: SavedScope): WorkFields {
  const field = changesField(changes)
  const sent = new Set(field.changes?.files.map(({ path }) => path))
  return { scope: withFiles(declared, changes?.files.filter(({ path }) => !sent.has(path)) ?? []), ...field }
}

function changesField(changes: KnownChanges | undefined): ChangesField {
  if (!changes || changes.note !== undefined) return {}
  const { head, files } = changes
  return { changes: { ...(head !== null && { head_sha: head }), files: limitChanges(files).map(toField) } }
}

/** Without the fields that are not known. */
function toField({ path, previous_path, status, lines, inserts, blob }: FileChange): ChangedFileField {
  return {
    path,
    ...(previous_path !== null && { previous_path }),
    status,
    ...(lines !== null && { lines }),
    ...(inserts !== undefined && { inserts }),
    ...(blob !== undefined && { blob }),
  }
}

/** The scope with these files, folded into directories where they are more than a scope may have. */
function withFiles({ areas, paths }: SavedScope, files: readonly FileChange[]): SavedScope {
  const bytes = paths.reduce((sum, path) => sum + Buffer.byteLength(path), 0)
  const left = { globs: scopePathLimits.globs - paths.length, bytes: scopePathLimits.bytes - bytes }
  // The shortest glob, of everything, has two bytes.
  if (left.globs < 1 || left.bytes < 2) return { areas, paths }
  return { areas, paths: [...new Set([...paths, ...collapsePaths(changedPaths(files), left)])] }
}

/** Returns the changes of the files that one of the globs matches, by their new or their old name. */
export async function changesBelow(
  files: readonly FileChange[],
): Promise<(globs: readonly string[]) => readonly FileChange[]> {
  // Loaded here, since most commands need no glob.
  const [{ parseGlob }, { changesWithin }] = await Promise.all([
    import('../../core/scope/glob/glob.ts'),
    import('../../core/changes/changes-within.ts'),
  ])
  const parsed = (text: string) => {
    const result = parseGlob(text)
    // The service will refuse any other.
    return result.ok ? [result.glob] : []
  }
  return (globs) => changesWithin(files, globs.flatMap(parsed))
}
