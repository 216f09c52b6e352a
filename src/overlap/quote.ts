const longest = 80

/** What could break a line. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/**
 * What nobody sees and a reader of code points does, or what turns the text around. Kept are what scripts and emoji need:
 * a joiner within a word or an emoji, and the mark that shows a sign as an emoji.
 */
const hidden =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200c|\u200d|\ufe0f)|(?:\u200c|\u200d)(?![\p{L}\p{Extended_Pictographic}])|(?!\u200c|\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function shown(text: string): string[] {
  let clean = text.replace(breaking, ' ').replace(hidden, '')
  // What was removed may have held together what stands side by side now.
  for (let before = text; before !== clean; ) {
    before = clean
    clean = clean.replace(/ +/g, ' ').replace(hidden, '').trim()
  }
  return Array.from(clean)
}

/**
 * Other people's text as it may stand in an agent's context: one line, at most 80 characters, nothing that moves the
 * cursor or is invisible (docs/rules.md#quoted-text).
 */
export function excerpt(text: string): string {
  const characters = shown(text)
  if (characters.length <= longest) return characters.join('')
  const kept = characters.slice(0, longest - 1).join('')
  return `${kept.replace(/(?:\s|\u200c|\u200d)+$/u, '')}…`
}

/** The same, marked as somebody's words: no quotation mark inside can end them. */
export function quoted(text: string): string {
  return `“${excerpt(text).replace(/[“”]/gu, '"')}”`
}

/** A name of up to three plain words as it is, anything else as somebody's words. */
export function name(text: string): string {
  const plain = excerpt(text)
  return /^[\p{L}\p{M}\p{N}.,_@'’/+#[\]()-]+( [\p{L}\p{M}\p{N}.,_@'’/+#[\]()-]+){0,2}$/u.test(plain)
    ? plain
    : quoted(plain)
}

/** A path, likewise on one line of 80 characters: what is too long loses its middle, since the file's name tells most. */
export function pathExcerpt(path: string): string {
  const characters = shown(path)
  if (characters.length > longest) {
    const end = characters.slice(-longest / 2).join('')
    const start = characters.slice(0, longest / 2 - 1).join('')
    return excerpt(`${start.replace(/(?:\s|\u200c|\u200d)+$/u, '')}…${end}`)
  }
  const plain = characters.join('')
  return plain.includes(' ') ? quoted(plain) : plain
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(parts: readonly string[]): string {
  const [last = '', ...before] = [...parts].reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}
