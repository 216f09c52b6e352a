import { getOrCreate } from '../lib/maps.ts'
import { type CharSet, holds, isEmpty, less } from './char-set.ts'
import { code, type Token } from './glob-token.ts'
import { ANY, DOT, NOT_DOT } from './label.ts'
import { ownText, type Part, readParts, STAR } from './segment-parts.ts'
import type { Jump, JumpingLine } from './track.ts'

/** One reading of a segment as characters and stars; a bracket stands there by its own text, its class as a jump. */
export interface Shape extends JumpingLine<number, CharSet> {
  readonly jumps: readonly Jump<CharSet>[]
}

export interface Affixes {
  readonly head: string
  readonly tail: string
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
  /** The characters around its one star, where it has nothing else. */
  readonly affixes: Affixes | null
  readonly shapes: readonly Shape[]
  /** The literal characters at its end. */
  readonly tail: string
}

/**
 * Reads the tokens of segments that are neither empty nor `.` nor `..` nor `**` as a globstar. What is written alike
 * becomes the same object, so that it is compared once.
 */
export function segmentReader(): (tokens: readonly Token[]) => Segment {
  const segments = new Map<string, Segment>()
  const sets = new Map<string, CharSet>()
  const shared = (set: CharSet) => getOrCreate(sets, String(set.ranges), () => set)
  return (tokens) => {
    const written = tokens.map(({ char, escaped }) => (escaped ? '\\' : '') + String.fromCodePoint(char)).join('')
    return getOrCreate(segments, written, () => segmentOf(readParts(tokens, shared), shared))
  }
}

function segmentOf(parts: readonly Part[], shared = alone): Segment {
  const isCharacter = (part: Part) => typeof part === 'number' && part >= 0
  return {
    name: parts.includes(STAR) || parts.includes(ANY) ? null : parts.map(ownText).join(''),
    literal: parts.every(isCharacter),
    wild: parts.every((part) => part === STAR || part === ANY),
    all: parts.every((part) => part === STAR),
    affixes: affixesOf(parts),
    shapes: readings(parts, shared).map(shape),
    tail: parts
      .slice(parts.findLastIndex((part) => !isCharacter(part)) + 1)
      .map(ownText)
      .join(''),
  }
}

function alone(set: CharSet): CharSet {
  return set
}

function affixesOf(parts: readonly Part[]): Affixes | null {
  const star = parts.indexOf(STAR)
  const around = parts.filter((_, i) => i !== star)
  if (star < 0 || !around.every((part) => typeof part === 'number' && part >= 0)) return null
  return {
    head: parts.slice(0, star).map(ownText).join(''),
    tail: parts
      .slice(star + 1)
      .map(ownText)
      .join(''),
  }
}

/** The segment that is this very name. */
export function literalSegment(name: string): Segment {
  return segmentOf(Array.from(name, code))
}

/** `*` */
export const anySegment = segmentOf([STAR])

/** `?*.?*`: every name with an extension, and more. */
export const dottedSegment = segmentOf([ANY, STAR, DOT, ANY, STAR])

/** Without stars, one or two parts could read `.` or `..`, which no path has: one of them has to be something else. */
function readings(parts: readonly Part[], shared: typeof alone): (readonly Part[])[] {
  if (parts.length > 2 || parts.includes(STAR) || !parts.every(takesDot)) return [parts]
  return parts.flatMap((part, i) => {
    const other = withoutDot(part, shared)
    return other === null ? [] : [parts.with(i, other)]
  })
}

function takesDot(part: Part): boolean {
  return typeof part === 'number' ? part === DOT || part === ANY : holds(part.set, DOT)
}

function withoutDot(part: Part, shared: typeof alone): Part | null {
  if (part === DOT) return null
  if (typeof part === 'number') return NOT_DOT
  return { ...part, set: shared(less(part.set, DOT)) }
}

function shape(parts: readonly Part[]): Shape {
  const items: number[] = []
  const gaps: number[] = []
  const jumps: Jump<CharSet>[] = []
  for (const part of parts) {
    if (part === STAR) gaps.push(items.length)
    else if (typeof part === 'number') items.push(part)
    else {
      const [from, to] = [items.length, items.length + part.text.length]
      if (!isEmpty(part.set)) jumps.push({ from, to, by: part.set, likely: part.likely })
      items.push(...part.text)
    }
  }
  return { items, gaps, jumps }
}
