import { createHash } from 'node:crypto'
import type { ChangesField, WorkFields } from '../commands/changes.ts'
import type { SentWork } from '../hooks/hook-state.ts'

export const nothingSent: SentWork = { activity: '', at: 0, paths: [], files: {} }

/** What the record of an activity holds after these fields were sent now. */
export function toSentWork(activity: string, fields: WorkFields, at: number): SentWork {
  return { activity, at, paths: fields.scope.paths, files: fileDigests(fields) }
}

/** A digest of the changes of each file. */
export function fileDigests({ changes }: ChangesField): Record<string, string> {
  return Object.fromEntries((changes?.files ?? []).map((file) => [file.path, digest(file).slice(0, 12)]))
}

/** Whether the scope that was sent has the glob. */
export function isInScope(glob: string, { paths }: SentWork): boolean {
  return paths.some((path) => path === glob || (path.endsWith('/**') && glob.startsWith(path.slice(0, -2))))
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
