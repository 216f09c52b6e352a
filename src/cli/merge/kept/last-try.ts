import { numberField, parseJson, textField } from '../../client/json.ts'
import type { TriedMerges } from '../merge-result.ts'
import { hashOf, type KeptPlace, readKept, saveKept } from './kept-files.ts'

/** What a try depends on. All of it is compared, so that only an equal one is answered by the last one. */
export function keyOfTry(parts: unknown): string {
  return hashOf(JSON.stringify(['1', parts]))
}

const validMs = 5 * 60_000
const restMs = 3_600_000

/** The last try of the work tree, where that was the same one a few minutes ago: the server may know a newer target branch. */
export function recallTry(place: KeptPlace, key: string, now: number): TriedMerges | undefined {
  const saved = readKept(place, 'last-try.json')
  const at = numberField(saved, 'saved_at') ?? 0
  if (textField(saved, 'key') !== key || now < at || now - at >= validMs) return undefined
  const merges = parseJson(textField(saved, 'merges') ?? '')
  return isTriedMerges(merges) ? merges : undefined
}

/** Our own file, and under this key: only whether it is whole is looked at. */
function isTriedMerges(value: unknown): value is TriedMerges {
  return typeof value === 'object' && value !== null && 'target' in value && 'results' in value
}

/** Reasons that a second try would find again. */
const lasting = new Set([null, 'too_many', 'not_pushed', 'filter', 'file_kind', 'target', 'too_large', 'git_version'])

export function saveTry(place: KeptPlace, key: string, merges: TriedMerges): void {
  if (!merges.results.every(({ merge_reason }) => lasting.has(merge_reason))) return
  saveKept(place, 'last-try.json', { saved_at: merges.tried_at, key, merges: JSON.stringify(merges) })
}

/** Whether a try with as much time ran out of it within the last hour. */
export function hasRunOut(place: KeptPlace, milliseconds: number, now: number): boolean {
  const saved = readKept(place, 'ran-out.json')
  const at = numberField(saved, 'at') ?? 0
  return milliseconds <= (numberField(saved, 'milliseconds') ?? 0) && now >= at && now - at < restMs
}

export function saveRanOut(place: KeptPlace, milliseconds: number, now: number): void {
  saveKept(place, 'ran-out.json', { at: now, milliseconds })
}
