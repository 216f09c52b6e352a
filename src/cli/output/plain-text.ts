import { hasHidden, onOneLine } from '../../core/texts/quote.ts'

/** Makes other people's text safe for a terminal and for models: one line, without hidden characters and tags. */
export const plain = onOneLine

/** The lines of a text, each as plain text, without empty ones. */
export function plainLines(text: string): string[] {
  return text.split('\n').flatMap((line) => plain(line) || [])
}

/** JSON that is safe too: the same values, with unsafe characters written as `\u…`. */
export function safeJson(value: unknown, indent: number | undefined = 2): string {
  return JSON.stringify(value, undefined, indent).replace(/[^\n]/gu, (character) =>
    hasHidden(character) ? escapeUnits(character) : character,
  )
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

/** A duration in the largest unit that fits: `5 min`, `3 h`, `2 days`. */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** `in 3 h`, or `2 days ago`. */
export function formatRelativeTime(instant: string, now: number): string {
  const distance = Date.parse(instant) - now
  if (Number.isNaN(distance)) return plain(instant)
  return distance >= 0 ? `in ${formatDuration(distance)}` : `${formatDuration(-distance)} ago`
}
