import { type CharacterSet, characterSet, contains, firstShared, isEmpty } from './character-set.ts'
import { codePoint } from './tokens.ts'

/** What one place of a name pattern matches: one character (its code point), ANY, NOT_DOT, or one of a set. */
export type CharacterMatcher = number | CharacterSet

/** `?`: any character of a segment. */
export const ANY = -1
/** Any character but the dot. Keeps `?` from matching `.` and `..`, which are no segments of a path. */
export const NOT_DOT = -2

export const DOT = 0x2e

const anyCharacter = characterSet([], true)
const anyButDot = characterSet([DOT, DOT], true)
const preferred = Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-')

/** Whether some character matches both. */
export function charactersIntersect(a: CharacterMatcher, b: CharacterMatcher): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b || a === ANY || b === ANY) return true
    return a === NOT_DOT ? b !== DOT : b === NOT_DOT && a !== DOT
  }
  if (typeof a === 'number' && a >= 0) return typeof b !== 'number' && contains(b, a)
  if (typeof b === 'number' && b >= 0) return typeof a !== 'number' && contains(a, b)
  if (a === ANY || b === ANY) return !isEmpty(setOf(a === ANY ? b : a))
  return firstShared(setOf(a), setOf(b)) >= 0
}

/** A character that matches both, `wish` or another readable one where possible. The two must intersect. */
export function sharedCharacter(a: CharacterMatcher, b: CharacterMatcher, wish: string): string {
  if (typeof a === 'number' && a >= 0) return String.fromCodePoint(a)
  if (typeof b === 'number' && b >= 0) return String.fromCodePoint(b)
  const [x, y] = [setOf(a), setOf(b)]
  const found = [wish, ...preferred].find((c) => contains(x, codePoint(c)) && contains(y, codePoint(c)))
  return found ?? String.fromCodePoint(firstShared(x, y))
}

function setOf(matcher: CharacterMatcher): CharacterSet {
  if (typeof matcher !== 'number') return matcher
  return matcher === ANY ? anyCharacter : anyButDot
}
