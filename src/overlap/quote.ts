const longest = 80

/** Line breaks, other white space, and control characters. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * Characters that a model reads and a person does not see: zero-width, bidirectional, tag and other format characters, and
 * variation selectors. The one selector that shows a symbol as an emoji is kept.
 */
const hidden = /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Everything that looks like one of the quotation marks that `quoted` adds. */
const quotationMarks = /[“”„‟❝❞〝〞〟＂]/gu

function visibleCharacters(text: string): string[] {
  return Array.from(text.replace(hidden, '').replace(breaking, ' ').trim())
}

/** Other people's text on one line, without hidden characters, and cut at 80 characters. */
export function excerpt(text: string, most = longest): string {
  const characters = visibleCharacters(text)
  if (characters.length <= most) return characters.join('')
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
  const characters = visibleCharacters(path)
  if (characters.length <= longest) return characters.join('')
  const start = characters.slice(0, longest / 2 - 1).join('')
  const end = characters.slice(-longest / 2).join('')
  return excerpt(`${start.trimEnd()}…${end}`)
}

function inQuotationMarks(text: string): string {
  return `“${text.replace(quotationMarks, '"')}”`
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(parts: readonly string[]): string {
  const [last = '', ...before] = [...parts].reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}
