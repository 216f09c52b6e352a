import { everyDetail } from '../../lib/issue-details.ts'
import type { SettingsProblem } from './effective.ts'
import { type Settings, SettingsFile } from './schema.ts'
import { parseYaml } from './yaml.ts'

/** The path of the file, in the repository or in the owner's `.github` repository. */
export const settingsPath = '.github/headsup.yml'
export const maxFileBytes = 64 * 1024

export type FileReading = { ok: true; values: Partial<Settings> } | { ok: false; problems: SettingsProblem[] }

const maxMessage = 300
const maxProblems = 100

/**
 * Parses a settings file (docs/rules.md#settings-file): at most 64 KiB of YAML in UTF-8, a mapping of known keys. An
 * empty file has no keys. Returns all problems, but at most 100. A problem with the file as a whole has the field
 * `file`. Never throws.
 */
export function readSettingsFile(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > maxFileBytes) return invalidFile(`has ${bytes.byteLength} bytes, and may have ${maxFileBytes}`)
  const text = decode(bytes)
  if (text === undefined) return invalidFile('is not UTF-8 text')
  const parsed = parseYaml(text)
  return parsed.ok
    ? readKeys(parsed.value)
    : invalid(parsed.faults, (fault) => ({ field: 'file', message: toShortLine(fault) }))
}

/** Returns at most `maxProblems` problems. If there are more, the last one says how many. */
function invalid<Fault>(faults: readonly Fault[], toProblem: (fault: Fault) => SettingsProblem): FileReading {
  if (faults.length <= maxProblems) return { ok: false, problems: faults.map(toProblem) }
  const named = faults.slice(0, maxProblems - 1)
  const more = { field: 'file', message: `has ${faults.length - named.length} more problems` }
  return { ok: false, problems: [...named.map(toProblem), more] }
}

function invalidFile(message: string): { ok: false; problems: SettingsProblem[] } {
  return { ok: false, problems: [{ field: 'file', message }] }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readKeys(value: unknown): FileReading {
  const content = value ?? {}
  if (typeof content !== 'object' || Array.isArray(content)) return invalidFile('has to be a mapping of keys to values')
  const result = SettingsFile.safeParse(content)
  if (result.success) return { ok: true, values: givenKeys(result.data) }
  return invalid(everyDetail(result.error, { input: content, root: 'file' }), ({ field, code, message }) => ({
    field: toShortLine(field),
    message: toShortLine(code === 'unknown_field' ? unknownKey(field) : message),
  }))
}

function unknownKey(field: string): string {
  if (field === '_extends') return 'is refused: settings are never taken from another file or repository'
  return `is not a known key; the keys are ${Object.keys(SettingsFile.shape).join(', ')}`
}

/** The keys that a file sets. `null` counts as absent. */
export function givenKeys(data: SettingsFile): Partial<Settings> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))
}

/** Makes text from the file safe to log and save: one line, of bounded length, without control characters. */
export function toShortLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').toWellFormed()
  return line.length > maxMessage ? `${line.slice(0, maxMessage).toWellFormed()}…` : line
}
