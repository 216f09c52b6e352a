/** Control characters, and what turns the direction of a text around or breaks its line. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Other people's text for a terminal: one line, nothing that moves the cursor or turns the text around. */
export function plain(text: string): string {
  return text.toWellFormed().replace(/\s+/g, ' ').replace(unsafe, '').trim()
}

/** The lines of a text of several, each as plain text. */
export function plainLines(text: string): string[] {
  return text.split('\n').flatMap((line) => plain(line) || [])
}

/** JSON for machines that is safe on a terminal too: the same values, what is unsafe written as `\u….`. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(/[^\n]/gu, (character) =>
    character.search(unsafe) === -1 ? character : escaped(character),
  )
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

/** How long, in the largest unit that fits: `5 min`, `3 h`, `2 days`. */
export function span(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** `in 3 h`, or `2 days ago`. */
export function when(instant: string, now: number): string {
  const distance = Date.parse(instant) - now
  if (Number.isNaN(distance)) return plain(instant)
  return distance >= 0 ? `in ${span(distance)}` : `${span(-distance)} ago`
}

/**
 * A glob for a person: without its escapes where, but for a `/**` at the end, no wildcard is in it; one in a file's very
 * name counts too, since without its escape it would be read as one.
 */
export function plainGlob(glob: string): string {
  const isPath = !/[*?]|(?<!\\)[[{]/.test(glob.replace(/\/\*\*$/, ''))
  return plain(isPath ? glob.replace(/\\(.)/gu, '$1') : glob)
}
