import { ANY } from './character.ts'
import { type CharacterSet, characterSet } from './character-set.ts'
import { bracketEnd, codePoint, isSign, type Token } from './tokens.ts'

/** A closed bracket. It matches one character of its set, or its own text. */
export interface Bracket {
  /** Its own text, after escapes. */
  readonly text: readonly number[]
  readonly set: CharacterSet
  /** Whether it looks like a class (`[a-z]`, `[!x]`) rather than a name (`[id]`). */
  readonly looksLikeClass: boolean
}

/** A part of a segment: a character (its code point), ANY, STAR, or a bracket. */
export type Part = number | Bracket

/** `*`: any run of characters, also none. */
export const STAR = -3

const [OPEN, MINUS] = [codePoint('['), codePoint('-')]

/** The parts of a segment. `share` returns one object for equal sets. */
export function readParts(tokens: readonly Token[], share: (set: CharacterSet) => CharacterSet): Part[] {
  const parts: Part[] = []
  let noBracketBefore = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    if (isSign(token, codePoint('*'))) {
      if (parts.at(-1) !== STAR) parts.push(STAR)
    } else if (isSign(token, codePoint('?'))) parts.push(ANY)
    else {
      const end = isSign(token, OPEN) && i >= noBracketBefore ? bracketEnd(tokens, i) : null
      if (end?.closed) {
        const bracket = readBracket(tokens.slice(i, end.at + 1))
        parts.push({ ...bracket, set: share(bracket.set) })
        i = end.at
      } else {
        parts.push(token.char)
        noBracketBefore = Math.max(noBracketBefore, end?.at ?? 0)
      }
    }
  }
  return parts
}

function readBracket(tokens: readonly Token[]): Bracket {
  const negated = isSign(tokens[1], codePoint('!')) || isSign(tokens[1], codePoint('^'))
  const members = tokens.slice(negated ? 2 : 1, -1).map((token) => token.char)
  const ranges: number[] = []
  let looksLikeClass = negated
  for (let i = 0; i < members.length; i++) {
    const [first = 0, sign, last] = members.slice(i, i + 3)
    if (sign === MINUS && last !== undefined) {
      ranges.push(first, last)
      looksLikeClass ||= first < last
      i += 2
    } else ranges.push(first, first)
  }
  return { text: tokens.map((token) => token.char), set: characterSet(ranges, negated), looksLikeClass }
}

/** A character, or the own text of a bracket. */
export function textOfPart(part: Part): string {
  return typeof part === 'number' ? String.fromCodePoint(part) : String.fromCodePoint(...part.text)
}
