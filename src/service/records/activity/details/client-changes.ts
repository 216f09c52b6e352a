import type { FileChange } from '../../../../core/changes/file-change.ts'
import type { ChangesInput } from '../../../../core/changes/schema.ts'
import type { SavedChanges } from './changes.sql.ts'

/**
 * The changes of a client in the form in which they are saved. By default a file is modified, and its lines are not
 * known.
 */
export function clientChanges({ head_sha, files }: ChangesInput, now: Date): SavedChanges {
  return {
    by: 'client',
    headSha: head_sha ?? null,
    files: files.map(
      ({ path, previous_path, status, lines, inserts, blob }): FileChange => ({
        path,
        previous_path: previous_path ?? null,
        status: status ?? 'modified',
        lines: lines ?? null,
        inserts: inserts ?? undefined,
        blob: status === 'removed' ? null : blob,
      }),
    ),
    filesTotal: files.length,
    readAt: now,
  }
}
