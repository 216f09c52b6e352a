/** `a`, `a and b`, `a, b and c`. */
export function joinWords(parts: readonly string[]): string {
  const [last = '', ...before] = [...parts].reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}

/** The first of these words, and how many more there are: `a, b and 3 more`. */
export function joinFirst(parts: readonly string[], most: number): string {
  const more = parts.length - most
  return joinWords(more > 0 ? [...parts.slice(0, most), `${more} more`] : parts)
}
