const longest = 80

/** What models and people read before the first quotation. */
export const introduction = 'Text in quotation marks is other people’s'

const lineBreaks = /\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu

/**
 * Characters that a model reads and a person does not see: control, zero-width, bidirectional, tag and other format
 * characters, and variation selectors. The one selector that shows a symbol as an emoji is kept.
 */
const hidden = /(?!(?<=\p{Extended_Pictographic})\ufe0f)(?![\t\n])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Everything that looks like one of the quotation marks that `quoted` adds. */
const quotationMarks = /[“”„‟❝❞〝〞〟＂]/gu

/** What begins a tag, such as `</system-reminder>`, which models may take for one of their host. */
const tagBeginnings = /[<＜﹤]/gu

/** Texts that `withoutHidden` leaves as they are. Most are such, and the other expressions cost many times as much. */
const plain = /^[\t\n\x20-\x3b\x3d-\x7e]*$/

/** A text without hidden characters and tags. Line breaks stay, as line feeds. */
export function withoutHidden(text: string): string {
  if (plain.test(text)) return text
  return text.toWellFormed().replace(lineBreaks, '\n').replace(hidden, '').replace(tagBeginnings, '‹')
}

/** The same on one line. */
export function onOneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/gu, ' ').trim()
}

/** Whether a text has a character that `withoutHidden` takes out or replaces. */
export function hasHidden(text: string): boolean {
  return withoutHidden(text) !== text
}

/** Lines with the introduction before the first of them that quotes somebody. */
export function introduced(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.includes('“'))
  if (first === -1 || lines.slice(0, first).some((line) => line.includes(introduction))) return lines
  return [...lines.slice(0, first), `${introduction}.`, ...lines.slice(first)]
}

/** The characters of a text that has more than so many; null for a shorter one. */
function charactersIfLonger(text: string, most: number): string[] | null {
  if (text.length <= most) return null
  const characters = Array.from(text)
  return characters.length <= most ? null : characters
}

/** Other people's text on one line, without hidden characters, and cut at 80 characters. */
export function excerpt(text: string, most = longest): string {
  const line = onOneLine(text)
  const characters = charactersIfLonger(line, most)
  if (characters === null) return line
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/** An excerpt in quotation marks. The text itself cannot contain such a mark. */
export function quoted(text: string, most = longest): string {
  return inQuotationMarks(excerpt(text, most))
}

/** A path in quotation marks. A long one is cut in the middle, since the file's name says most. */
export function quotedPath(path: string): string {
  return inQuotationMarks(excerptOfPath(path))
}

/** A path on one line. A long one is cut in the middle. */
export function excerptOfPath(path: string): string {
  const line = onOneLine(path)
  const characters = charactersIfLonger(line, longest)
  if (characters === null) return line
  const start = characters.slice(0, longest / 2 - 1).join('')
  const end = characters.slice(-longest / 2).join('')
  return excerpt(`${start.trimEnd()}…${end}`)
}

function inQuotationMarks(text: string): string {
  return `“${text.replace(quotationMarks, '"')}”`
}
