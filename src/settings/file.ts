import { LineCounter, parseDocument } from 'yaml'
import { issueDetails } from '../issue-details.ts'
import type { SettingsProblem } from './effective.ts'
import { type Settings, SettingsFile } from './schema.ts'

/** Where the file is, in the repository or in the owner's `.github` repository. */
export const settingsPath = '.github/headsup.yml'
export const maxFileBytes = 64 * 1024

export type FileReading = { ok: true; values: Partial<Settings> } | { ok: false; problems: SettingsProblem[] }

/** How many aliases may be followed: a file of 64 KiB can otherwise unfold to gigabytes. */
const maxAliases = 100
const maxProblems = 100
const maxMessage = 300

/**
 * The bytes of a settings file as the keys that it sets (decisions §9): at most 64 KiB of YAML in UTF-8, a mapping of
 * known keys, nothing at all being a mapping without keys. Says everything that is wrong, up to 100 problems; the field
 * of a problem of the file as a whole is `file`. Never throws.
 */
export function readSettingsFile(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > maxFileBytes) return faulty(`has ${bytes.byteLength} bytes, and may have ${maxFileBytes}`)
  const text = decode(bytes)
  if (text === undefined) return faulty('is not UTF-8 text')
  const parsed = parseYaml(text)
  return 'problems' in parsed ? { ok: false, problems: parsed.problems } : readKeys(parsed.value)
}

function faulty(message: string): { ok: false; problems: SettingsProblem[] } {
  return { ok: false, problems: [{ field: 'file', message }] }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseYaml(text: string): { value: unknown } | { problems: SettingsProblem[] } {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
    if (document.errors.length === 0) return { value: document.toJS({ maxAliasCount: maxAliases }) }
    return {
      problems: document.errors.slice(0, maxProblems).map(({ pos, message }) => ({
        field: 'file',
        message: cut(`line ${lines.linePos(pos[0]).line}: ${message}`),
      })),
    }
  } catch (error) {
    // Too many aliases, an alias of nothing, or nesting that exhausts the stack.
    const message = error instanceof RangeError ? 'is nested too deeply' : cut(String(error))
    return faulty(message)
  }
}

function readKeys(value: unknown): FileReading {
  const content = value ?? {}
  const result = SettingsFile.safeParse(content)
  if (result.success) return { ok: true, values: withoutNulls(result.data) }
  const problems = issueDetails(result.error, content, 'file').map(({ field, code, message }) => ({
    field,
    message: cut(code === 'unknown_field' ? unknownKey(field) : message),
  }))
  return { ok: false, problems }
}

function unknownKey(field: string): string {
  if (field === '_extends') return 'is refused: settings are never taken from another file or repository'
  return `is not a known key; the keys are ${Object.keys(SettingsFile.shape).join(', ')}`
}

function withoutNulls(data: SettingsFile): Partial<Settings> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))
}

/** On one line, and of bounded length: what the file says is other people's data. */
function cut(message: string): string {
  const line = message.replace(/\s+/g, ' ')
  return line.length > maxMessage ? `${line.slice(0, maxMessage)}…` : line
}
