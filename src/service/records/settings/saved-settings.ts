import type { SettingsFileOrigin, SettingsProblem } from './effective.ts'
import { type FileReading, readSettingsFile, settingsPath } from './file.ts'
import type { FileContent, FoundFile } from './found-file.ts'
import type { Settings } from './schema.ts'

/** What the database holds about the settings file of a repository. */
export interface SavedSettings {
  /** The last valid file; null if there is none. */
  file: { values: Partial<Settings>; origin: SettingsFileOrigin } | null
  /** What is wrong with the newest file. */
  problems: SettingsProblem[]
  /** ETag of the newest file, valid or not, and the repository that has it (`owner/name`). */
  etag: { repository: string; etag: string } | null
  checkedAt: Date
  /** How often events have invalidated these settings. */
  invalidations: number
  /** The value of `invalidations` when the file was last read. */
  invalidationsSeen: number
}

/**
 * The settings to save after a response of GitHub. An invalid file changes nothing: the last valid one stays, with the
 * problems of the new one (docs/rules.md#invalid-settings).
 */
export function updateSaved(
  found: Exclude<FoundFile, { kind: 'failure' }>,
  saved: SavedSettings | undefined,
  now: Date,
): SavedSettings {
  const invalidations = saved?.invalidations ?? 0
  const checked = { checkedAt: now, invalidations, invalidationsSeen: invalidations }
  if (found.kind === 'unchanged' && saved) return { ...saved, ...checked }
  if (found.kind !== 'file') return { file: null, problems: [], etag: null, ...checked }
  const { repository, sha } = found
  const reading = readContent(found.content)
  const etag = found.etag === null ? null : { repository, etag: found.etag }
  if (!reading.ok) return { file: saved?.file ?? null, problems: reading.problems, etag, ...checked }
  const origin = { repository, path: settingsPath, sha, read_at: now }
  return { file: { values: reading.values, origin }, problems: [], etag, ...checked }
}

function readContent(content: FileContent): FileReading {
  if ('bytes' in content) return readSettingsFile(content.bytes)
  return { ok: false, problems: [{ field: 'file', message: content.fault }] }
}
