/** A part of a text: plain characters, or the name of one invisible character. */
export interface TextPart {
  text: string
  isHidden: boolean
}

/**
 * Controls, line separators, format and bidirectional characters, variation selectors and lone surrogates. The selector that
 * shows a symbol as an emoji, and the joiner between two emoji, are kept.
 */
const hidden =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)[\ufe0f\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const names: Readonly<Record<number, string>> = { 9: 'TAB', 10: 'LF', 13: 'CR', 27: 'ESC' }

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Other people's text, with the characters that a person would not see as parts of their own. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isHidden: false })
    parts.push({ text: nameOf(match[0]), isHidden: true })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHidden: false })
  return parts
}

/** The same as one string, for attributes and announcements. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join('')
}
