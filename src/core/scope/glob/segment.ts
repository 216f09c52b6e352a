import { getOrCreate } from '../../lib/maps.ts'
import type { Shortcut, WildcardSequence } from '../match/wildcard-sequence.ts'
import { ANY, DOT, NOT_DOT } from './character.ts'
import { type CharacterSet, contains, isEmpty, withoutCharacter } from './character-set.ts'
import { type Part, readParts, STAR, textOfPart } from './segment-parts.ts'
import { codePoint, type Token } from './tokens.ts'

/**
 * The characters and stars of a segment. A bracket is there as its own text, and its class is an alternative to that
 * text.
 */
export interface NamePattern extends WildcardSequence<number> {
  readonly shortcuts: readonly Shortcut<CharacterSet>[]
}

/** One segment of an alternative. It matches names; the empty name, `.` and `..` are never among them. */
export class Segment {
  /** Its one name, brackets taken as their own text. Null if it has wildcards. */
  readonly name: string | null
  /** Whether it has neither wildcards nor brackets. */
  readonly isLiteral: boolean
  readonly hasBracket: boolean
  /** Whether it is made of `*` and `?` alone. */
  readonly isWild: boolean
  /** `*`: matches every name. */
  readonly matchesAll: boolean
  /** Whether it is one star with literal characters around it. */
  readonly isHeadAndTail: boolean
  /** The literal characters at its start and at its end. */
  readonly head: string
  readonly tail: string
  /** The least and the greatest length of its names, in code points. */
  readonly minLength: number
  readonly maxLength: number
  /** The number of characters, brackets taken as their own text. */
  readonly length: number
  /** Null for a literal segment, whose parts follow from its name. */
  readonly #parts: readonly Part[] | null
  #pattern: NamePattern | null = null
  #readings: readonly NamePattern[] | null = null

  /** From a name, or from parts of which some are no characters. */
  constructor(parts: readonly Part[] | string) {
    if (typeof parts === 'string') {
      this.#parts = null
      this.isLiteral = true
      this.hasBracket = this.isWild = this.matchesAll = this.isHeadAndTail = false
      this.name = this.head = this.tail = parts
      this.length = this.minLength = this.maxLength = codePointLength(parts)
      return
    }
    const [first, last] = [
      parts.findIndex((part) => !isCharacter(part)),
      parts.findLastIndex((part) => !isCharacter(part)),
    ]
    const hasStar = parts.includes(STAR)
    this.#parts = parts
    this.isLiteral = false
    this.hasBracket = parts.some((part) => typeof part !== 'number')
    this.isWild = parts.every((part) => part === STAR || part === ANY)
    this.matchesAll = parts.every((part) => part === STAR)
    this.isHeadAndTail = hasStar && first === last
    this.name = hasStar || parts.includes(ANY) ? null : textOf(parts)
    this.head = textOf(parts.slice(0, first))
    this.tail = textOf(parts.slice(last + 1))
    this.length = parts.reduce<number>((sum, part) => sum + textLength(part), 0)
    this.minLength = parts.filter((part) => part !== STAR).length
    this.maxLength = hasStar ? Number.POSITIVE_INFINITY : this.length
  }

  /** Matches all names, and also `.` and `..` where the characters allow it. Not kept for literal segments, which rarely need it. */
  get pattern(): NamePattern {
    if (this.#parts === null) return patternOf(Array.from(this.head, codePoint))
    this.#pattern ??= patternOf(this.#parts)
    return this.#pattern
  }

  /** Patterns whose names together are those of the segment. Those with a star may still match `.` and `..`. */
  get readings(): readonly NamePattern[] {
    if (this.#parts === null) return [this.pattern]
    this.#readings ??= couldBeDots(this.#parts) ? withoutDots(this.#parts) : [this.pattern]
    return this.#readings
  }
}

/** `*` */
export const anySegment = new Segment([STAR])

/** `?*.?*`: every name with an extension, and more. */
export const segmentWithExtension = new Segment([ANY, STAR, DOT, ANY, STAR])

/** Reads the tokens of one segment. Segments that are written alike become one object, and so do equal sets. */
export function segmentReader(): (tokens: readonly Token[]) => Segment {
  const segments = new Map<string, Segment>()
  const sets = new Map<string, CharacterSet>()
  const share = (set: CharacterSet) => getOrCreate(sets, String(set.ranges), () => set)
  return (tokens) => {
    const written = tokens.map(({ char, escaped }) => (escaped ? '\\' : '') + String.fromCodePoint(char)).join('')
    return getOrCreate(segments, written, () => {
      const parts = readParts(tokens, share)
      return new Segment(parts.every(isCharacter) ? textOf(parts) : parts)
    })
  }
}

function isCharacter(part: Part): boolean {
  return typeof part === 'number' && part >= 0
}

function textLength(part: Part): number {
  return part === STAR ? 0 : typeof part === 'number' ? 1 : part.text.length
}

function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function textOf(parts: readonly Part[]): string {
  return parts.map(textOfPart).join('')
}

function patternOf(parts: readonly Part[]): NamePattern {
  const items: number[] = []
  const stars: number[] = []
  const shortcuts: Shortcut<CharacterSet>[] = []
  for (const part of parts) {
    if (part === STAR) stars.push(items.length)
    else if (typeof part === 'number') items.push(part)
    else {
      const { set, looksLikeClass, text } = part
      const [from, to] = [items.length, items.length + text.length]
      if (!isEmpty(set)) shortcuts.push({ from, to, item: set, isPreferred: looksLikeClass })
      items.push(...text)
    }
  }
  return { items, stars, shortcuts }
}

/** Whether one or two parts, neither of them a star, could match `.` or `..`. */
function couldBeDots(parts: readonly Part[]): boolean {
  return parts.length <= 2 && parts.every(matchesDot)
}

function matchesDot(part: Part): boolean {
  return typeof part === 'number' ? part === DOT || part === ANY : contains(part.set, DOT)
}

/** One or two parts without the names `.` and `..`: a reading for each part, in which that part is no dot. */
function withoutDots(parts: readonly Part[]): NamePattern[] {
  return parts.flatMap((part, i) => {
    if (part === DOT) return []
    const other = typeof part === 'number' ? NOT_DOT : { ...part, set: withoutCharacter(part.set, DOT) }
    return [patternOf(parts.with(i, other))]
  })
}
