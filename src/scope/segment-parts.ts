import { type CharSet, charSet } from './char-set.ts'
import { classEnd, code, isSign, type Token } from './glob-token.ts'
import { ANY } from './label.ts'

/** A bracket that closes: its class, or its own text as it stands after escapes. */
export interface Bracket {
  readonly text: readonly number[]
  readonly set: CharSet
  /** Whether it looks like a class (`[a-z]`, `[!x]`) rather than a name (`[id]`). */
  readonly likely: boolean
}

/** What a segment is made of: a character by its code point, ANY, STAR, or a bracket. */
export type Part = number | Bracket

/** Any run of characters, also none. */
export const STAR = -3

const [OPEN, MINUS] = [code('['), code('-')]

/** The parts that the tokens of a segment mean. */
export function readParts(tokens: readonly Token[], shared: (set: CharSet) => CharSet): Part[] {
  const parts: Part[] = []
  let noClassBefore = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    if (isSign(token, code('*'))) {
      if (parts.at(-1) !== STAR) parts.push(STAR)
    } else if (isSign(token, code('?'))) parts.push(ANY)
    else {
      const end = isSign(token, OPEN) && i >= noClassBefore ? classEnd(tokens, i) : null
      if (end?.closed) {
        const bracket = readBracket(tokens.slice(i, end.at + 1))
        parts.push({ ...bracket, set: shared(bracket.set) })
        i = end.at
      } else {
        parts.push(token.char)
        noClassBefore = Math.max(noClassBefore, end?.at ?? 0)
      }
    }
  }
  return parts
}

function readBracket(tokens: readonly Token[]): Bracket {
  const negated = isSign(tokens[1], code('!')) || isSign(tokens[1], code('^'))
  const members = tokens.slice(negated ? 2 : 1, -1).map((token) => token.char)
  const ranges: number[] = []
  let likely = negated
  for (let i = 0; i < members.length; i++) {
    const [first = 0, sign, last] = members.slice(i, i + 3)
    if (sign === MINUS && last !== undefined) {
      ranges.push(first, last)
      likely ||= first < last
      i += 2
    } else ranges.push(first, first)
  }
  return { text: tokens.map((token) => token.char), set: charSet(ranges, negated), likely }
}

/** A character, or the own text of a bracket. */
export function ownText(part: Part): string {
  return typeof part === 'number' ? String.fromCodePoint(part) : String.fromCodePoint(...part.text)
}
