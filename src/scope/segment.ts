import { type CharSet, charSet, holds, isEmpty, less } from './char-set.ts'
import { classEnd, code, isSign, type Token } from './glob-token.ts'
import { ANY, DOT, NOT_DOT } from './label.ts'
import type { Jump, JumpingLine } from './track.ts'

/** One reading of a segment as characters and stars; a bracket stands there by its own text, its class as a jump. */
export interface Shape extends JumpingLine<number> {
  readonly jumps: readonly Jump[]
}

/** One segment of an alternative. What it names is the union of its shapes, less the empty segment, `.` and `..`. */
export interface Segment {
  /** Its one name where nothing but brackets could make it another: their own text. Else null. */
  readonly name: string | null
  /** A name and no brackets. */
  readonly literal: boolean
  /** Made of `*` and `?` alone. */
  readonly wild: boolean
  /** Stars alone: takes every name. */
  readonly all: boolean
  readonly shapes: readonly Shape[]
  /** The literal characters at its end. */
  readonly tail: string
}

interface Bracket {
  readonly text: readonly number[]
  readonly set: CharSet
  readonly likely: boolean
}
type Part = number | Bracket

const STAR = -3
const [OPEN, MINUS] = [code('['), code('-')]

/** Reads the tokens of one segment, which is neither empty nor `.` nor `..` nor `**` as a globstar. */
export function readSegment(tokens: readonly Token[]): Segment {
  const parts = readParts(tokens)
  const literal = parts.every((part) => typeof part === 'number' && part >= 0)
  const named = parts.every((part) => typeof part !== 'number' || part >= 0)
  return {
    name: named ? parts.map(ownText).join('') : null,
    literal,
    wild: parts.every((part) => part === STAR || part === ANY),
    all: parts.every((part) => part === STAR),
    shapes: readings(parts).map(shape),
    tail: parts
      .slice(parts.findLastIndex((part) => typeof part !== 'number' || part < 0) + 1)
      .map(ownText)
      .join(''),
  }
}

/** The segment that is this very name. */
export function literalSegment(name: string): Segment {
  return readSegment(Array.from(name, (character, at) => ({ char: code(character), escaped: true, at })))
}

/** `*` */
export const anySegment = readSegment([{ char: code('*'), escaped: false, at: 0 }])

function ownText(part: Part): string {
  return typeof part === 'number' ? String.fromCodePoint(part) : String.fromCodePoint(...part.text)
}

function readParts(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) break
    if (isSign(token, code('*'))) {
      if (parts.at(-1) !== STAR) parts.push(STAR)
    } else if (isSign(token, code('?'))) parts.push(ANY)
    else {
      const end = isSign(token, OPEN) ? classEnd(tokens, i) : -1
      if (end < 0) parts.push(token.char)
      else {
        parts.push(readBracket(tokens.slice(i, end + 1)))
        i = end
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

/** Without stars, one or two parts could read `.` or `..`, which no path has: one of them has to be something else. */
function readings(parts: readonly Part[]): (readonly Part[])[] {
  if (parts.length > 2 || parts.includes(STAR) || !parts.every(takesDot)) return [parts]
  return parts.flatMap((part, i) => {
    const other = withoutDot(part)
    return other === null ? [] : [parts.with(i, other)]
  })
}

function takesDot(part: Part): boolean {
  return typeof part === 'number' ? part === DOT || part === ANY : holds(part.set, DOT)
}

function withoutDot(part: Part): Part | null {
  if (part === DOT) return null
  if (typeof part === 'number') return NOT_DOT
  return { ...part, set: less(part.set, DOT) }
}

function shape(parts: readonly Part[]): Shape {
  const items: number[] = []
  const gaps: number[] = []
  const jumps: Jump[] = []
  for (const part of parts) {
    if (part === STAR) gaps.push(items.length)
    else if (typeof part === 'number') items.push(part)
    else {
      const [from, to] = [items.length, items.length + part.text.length]
      if (!isEmpty(part.set)) jumps.push({ from, to, set: part.set, likely: part.likely })
      items.push(...part.text)
    }
  }
  return { items: Int32Array.from(items), gaps, jumps }
}
