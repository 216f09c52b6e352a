import type { BraceLimits } from './limits.ts'
import { GlobRefused, tooManyAlternatives } from './refusal.ts'
import { codePoint, isSign, type Token } from './tokens.ts'

/** Braces with a list or a range: one of `options` takes their place. `at` is the index of the `{`. */
interface Braces {
  readonly at: number
  readonly options: readonly Sequence[]
}
type Sequence = readonly (Token | Braces)[]

interface Cursor {
  readonly tokens: readonly Token[]
  readonly limits: BraceLimits
  /** The index of the next token. */
  next: number
}

const OPEN = codePoint('{')
const CLOSE = codePoint('}')
const COMMA = codePoint(',')
const DOT = codePoint('.')

/** Every alternative of a glob, in order, duplicates included. Refuses an empty one. */
export function expandBraces(tokens: readonly Token[], limits: BraceLimits): Token[][] {
  refuseUnclosed(tokens)
  const sequence: (Token | Braces)[] = []
  readSequence(sequence, { tokens, limits, next: 0 }, false)
  measure(sequence, limits)
  const alternatives = expand(sequence)
  if (alternatives.some((alternative) => alternative.length === 0)) {
    const message = 'The braces leave one alternative empty. Name a path there, or take the alternative out.'
    throw new GlobRefused(message, positionOfEmpty(sequence))
  }
  return alternatives
}

function refuseUnclosed(tokens: readonly Token[]): void {
  const open: number[] = []
  for (const token of tokens) {
    if (isSign(token, OPEN)) open.push(token.at)
    else if (isSign(token, CLOSE)) open.pop()
  }
  const [outermost] = open
  if (outermost === undefined) return
  throw new GlobRefused('The "{" is never closed. Close it with "}", or write "\\{" for a real name.', outermost)
}

/** Appends tokens up to the end or, inside braces, up to their next `,` or `}`. Outside braces these two are literal. */
function readSequence(sequence: (Token | Braces)[], cursor: Cursor, insideBraces: boolean): void {
  for (;;) {
    const token = cursor.tokens[cursor.next]
    if (token === undefined || (insideBraces && (isSign(token, COMMA) || isSign(token, CLOSE)))) return
    cursor.next++
    sequence.push(token)
    if (isSign(token, OPEN)) readBraces(sequence, cursor, token)
  }
}

/**
 * Reads the braces whose `{` is the last token of the sequence. A list or a range replaces that `{`. Braces with neither
 * stay literal, and what is inside keeps its meaning.
 */
function readBraces(sequence: (Token | Braces)[], cursor: Cursor, open: Token): void {
  const start = sequence.length - 1
  readSequence(sequence, cursor, true)
  let end = cursor.tokens[cursor.next++]
  if (end !== undefined && isSign(end, COMMA)) {
    const options = [sequence.splice(start).slice(1)]
    while (end !== undefined && isSign(end, COMMA)) {
      const option: (Token | Braces)[] = []
      readSequence(option, cursor, true)
      options.push(option)
      end = cursor.tokens[cursor.next++]
    }
    sequence.push({ at: open.at, options })
  } else if (sequence.some((node, i) => i > start && isDot(node) && isDot(sequence[i + 1]))) {
    sequence.push({ at: open.at, options: readRange(sequence.splice(start).slice(1), open, cursor.limits) })
  } else if (end !== undefined) sequence.push(end)
}

function isDot(node: Token | Braces | undefined): boolean {
  return node !== undefined && 'char' in node && node.char === DOT
}

function readRange(sequence: Sequence, open: Token, limits: BraceLimits): Sequence[] {
  const text = sequence.map((node) => ('char' in node ? String.fromCodePoint(node.char) : '{}')).join('')
  return rangeMembers(text, open.at, limits).map((member) => literalTokens(member, open.at))
}

/** The members of `1..9` or `a..f`, in either order. Refuses any other text; `position` is that of the `{`. */
function rangeMembers(text: string, position: number, limits: BraceLimits): string[] {
  const [, first, last] = /^(0|[1-9]\d*)\.\.(0|[1-9]\d*)$/.exec(text) ?? []
  if (first !== undefined && last !== undefined) return countFrom(BigInt(first), BigInt(last), limits).map(String)
  if (/^([a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])$/.test(text)) {
    const letters = countFrom(BigInt(text.charCodeAt(0)), BigInt(text.charCodeAt(3)), limits)
    return letters.map((letter) => String.fromCodePoint(Number(letter)))
  }
  const message =
    'A range in braces is of whole numbers without padding, {1..9}, or of letters of one case, {a..f}. ' +
    'List the alternatives with commas, or write "\\{" for a real name.'
  throw new GlobRefused(message, position)
}

/** Uses big integers, since the numbers of a range may be too large for exact ones. */
function countFrom(first: bigint, last: bigint, limits: BraceLimits): bigint[] {
  const step = first <= last ? 1n : -1n
  const length = (last - first) * step + 1n
  if (length > limits.alternatives) throw tooManyAlternatives(limits)
  return Array.from({ length: Number(length) }, (_, i) => first + step * BigInt(i))
}

function literalTokens(text: string, at: number): Sequence {
  return Array.from(text, (character) => ({ char: codePoint(character), escaped: true, at }))
}

/** How many alternatives a sequence has, and how many characters in all. Counted before any is made. */
function measure(sequence: Sequence, limits: BraceLimits): { count: number; length: number } {
  let [count, length] = [1, 0]
  for (const node of sequence) {
    const options = 'char' in node ? [{ count: 1, length: 1 }] : node.options.map((option) => measure(option, limits))
    const moreCount = options.reduce((sum, option) => sum + option.count, 0)
    const moreLength = options.reduce((sum, option) => sum + option.length, 0)
    length = length * moreCount + moreLength * count
    count *= moreCount
    if (count > limits.alternatives) throw tooManyAlternatives(limits)
    if (length > limits.expanded) {
      const message = `The alternatives have over ${limits.expanded} characters together. Use a wildcard, or several globs.`
      throw new GlobRefused(message, null)
    }
  }
  return { count, length }
}

function expand(sequence: Sequence): Token[][] {
  let alternatives: Token[][] = [[]]
  for (const node of sequence) {
    if ('char' in node) {
      for (const alternative of alternatives) alternative.push(node)
    } else {
      const options = node.options.flatMap(expand)
      alternatives = alternatives.flatMap((start) => options.map((option) => [...start, ...option]))
    }
  }
  return alternatives
}

/** The position of the first braces that hold the empty option of an empty alternative. */
function positionOfEmpty(sequence: Sequence): number | null {
  const [first] = sequence
  if (first === undefined || 'char' in first) return null
  if (first.options.some((option) => option.length === 0)) return first.at
  const nested = first.options.find((option) => expand(option).some((alternative) => alternative.length === 0))
  return nested === undefined ? null : positionOfEmpty(nested)
}
