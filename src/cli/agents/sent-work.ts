import { createHash } from 'node:crypto'
import type { ChangesField, WorkFields } from '../commands/changes.ts'
import type { SentWork } from '../hooks/hook-state.ts'

export const nothingSent: SentWork = { activity: '', at: 0, paths: [], files: {} }

/** What the record of an activity holds after these fields were sent now. */
export function toSentWork(activity: string, fields: WorkFields, at: number): SentWork {
  return { activity, at, paths: fields.scope.paths, files: fileDigests(fields) }
}

/** A digest of the changed lines of each file, by its new and its old name. The content after an edit is not known before it. */
export function fileDigests({ changes }: ChangesField): Record<string, string> {
  const files = (changes?.files ?? []).map(({ blob: _, ...file }) => ({ ...file, digest: digest(file).slice(0, 12) }))
  const oldNames = files.flatMap(({ previous_path, digest }) => (previous_path ? [[previous_path, digest]] : []))
  return Object.fromEntries([...oldNames, ...files.map(({ path, digest }) => [path, digest])])
}

/** Whether the scope that was sent has the glob. */
export function isInScope(glob: string, { paths }: SentWork): boolean {
  return paths.some((path) => path === glob || (path.endsWith('/**') && glob.startsWith(path.slice(0, -2))))
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
