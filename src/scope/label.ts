import { type CharSet, charSet, firstOfBoth, holds } from './char-set.ts'
import { code } from './glob-token.ts'

/** What one place of a segment takes: a character (its code point), ANY, NOT_DOT, or one of a class. */
export type Label = number | CharSet

/** `?`: any character that a segment can hold. */
export const ANY = -1
/** Any but the dot; keeps `?` from reading the segments `.` and `..`, which no path has. */
export const NOT_DOT = -2

export const DOT = 0x2e

const everything = charSet([], true)
const notDot = charSet([DOT, DOT], true)
const niceCharacters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-')

/** Whether some character is taken by both. */
export function labelsMeet(a: Label, b: Label): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b || a === ANY || b === ANY) return true
    return a === NOT_DOT ? b !== DOT : b === NOT_DOT && a !== DOT
  }
  if (typeof a === 'number' && a >= 0) return typeof b !== 'number' && holds(b, a)
  if (typeof b === 'number' && b >= 0) return typeof a !== 'number' && holds(a, b)
  return firstOfBoth(setOf(a), setOf(b)) >= 0
}

/** A character that both take, `wish` or another pleasant one where possible. The two have to meet. */
export function characterOfBoth(a: Label, b: Label, wish: string): string {
  if (typeof a === 'number' && a >= 0) return String.fromCodePoint(a)
  if (typeof b === 'number' && b >= 0) return String.fromCodePoint(b)
  const [x, y] = [setOf(a), setOf(b)]
  const nice = [wish, ...niceCharacters].find((c) => holds(x, code(c)) && holds(y, code(c)))
  return nice ?? String.fromCodePoint(firstOfBoth(x, y))
}

function setOf(label: Label): CharSet {
  if (typeof label !== 'number') return label
  return label === ANY ? everything : label === NOT_DOT ? notDot : charSet([label, label], false)
}
