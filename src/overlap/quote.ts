const longest = 80

/** Control, bidirectional and separator characters: they could break a line, or turn the text around. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * Other people's text as it may stand in an agent's context: one line, at most 80 characters, nothing that moves the
 * cursor (decisions §5).
 */
export function excerpt(text: string): string {
  const characters = Array.from(text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim())
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** The same, marked as somebody's words. */
export function quoted(text: string): string {
  return `“${excerpt(text)}”`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  const [last = '', ...before] = [...parts].reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}

/** `1 activity`, `3 activities`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
