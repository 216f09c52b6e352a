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
  /((?!(?<=\p{Extended_Pictographic}\ufe0f?)[\ufe0f\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])/u

const names: Readonly<Record<number, string>> = { 9: 'TAB', 10: 'LF', 13: 'CR', 27: 'ESC' }

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Other people's text, with the characters that a person would not see as parts of their own. */
export function visibleParts(text: string): TextPart[] {
  // What the group of the expression matches comes second, fourth and so on.
  const parts = text.split(hidden).map((part, index) => ({ text: part, isHidden: index % 2 === 1 }))
  return parts
    .filter((part) => part.text !== '')
    .map((part) => (part.isHidden ? { ...part, text: nameOf(part.text) } : part))
}

/** The same as one string, for attributes and announcements. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join('')
}
