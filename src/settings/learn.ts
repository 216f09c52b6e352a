import { type FileReading, readSettingsFile, settingsPath } from './file.ts'
import type { FileContent, FoundFile } from './source.ts'
import type { KeptSettings } from './store.ts'

/**
 * What to keep after a look at GitHub. An invalid file changes nothing: the last good one stays, with the problems of
 * the new one (docs/rules.md#invalid-settings).
 */
export function learn(
  found: Exclude<FoundFile, { kind: 'failure' }>,
  kept: KeptSettings | undefined,
  now: Date,
): KeptSettings {
  const marks = kept?.marks ?? 0
  const checked = { checkedAt: now, marks, marksRead: marks }
  if (found.kind === 'unchanged' && kept) return { ...kept, ...checked }
  if (found.kind !== 'file') return { file: null, problems: [], etag: null, ...checked }
  const { repository, sha } = found
  const reading = readContent(found.content)
  const etag = found.etag === null ? null : { repository, etag: found.etag }
  if (!reading.ok) return { file: kept?.file ?? null, problems: reading.problems, etag, ...checked }
  const origin = { repository, path: settingsPath, sha, read_at: now }
  return { file: { values: reading.values, origin }, problems: [], etag, ...checked }
}

function readContent(content: FileContent): FileReading {
  if ('bytes' in content) return readSettingsFile(content.bytes)
  return { ok: false, problems: [{ field: 'file', message: content.fault }] }
}
