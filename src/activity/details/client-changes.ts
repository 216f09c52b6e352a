import type { FileChange } from '../../changes/file-change.ts'
import type { ChangesInput } from '../../changes/schema.ts'
import type { SavedChanges } from './changes.sql.ts'

/** What a client says that it changed, as it is saved. A file is modified, and its lines are not known, unless it says so. */
export function clientChanges({ head_sha, files }: ChangesInput, now: Date): SavedChanges {
  return {
    by: 'client',
    headSha: head_sha ?? null,
    files: files.map(
      ({ path, previous_path, status, lines }): FileChange => ({
        path,
        previous_path: previous_path ?? null,
        status: status ?? 'modified',
        lines: lines ?? null,
      }),
    ),
    filesTotal: files.length,
    readAt: now,
  }
}
