import { importances } from '../../enums.ts'
import type { Notable } from '../../notable/schema.ts'

/** Blocking first, then by importance, then the newest. */
export function notableList(notables: ReadonlyMap<string, Notable>): Notable[] {
  const weight = ({ blocking, importance }: Notable) => Number(blocking) * 10 + importances.indexOf(importance)
  return [...notables.values()].sort(
    (a, b) => weight(b) - weight(a) || Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1),
  )
}

/** When the notable stops applying, whichever comes first. */
export function endOf({ applies_until, expires_at }: Notable): string {
  if (applies_until === null) return expires_at
  return Date.parse(applies_until) < Date.parse(expires_at) ? applies_until : expires_at
}

/** The globs of a text with one in each line. */
export function globsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
