import { GlobRefused } from './glob-fault.ts'
import { globLimits, tooManyAlternatives } from './glob-limits.ts'
import { rangeMembers } from './glob-range.ts'
import { code, isSign, type Token } from './glob-token.ts'

/** Braces with a list or a range in them: one of `options` takes their place. `at` is the `{`. */
interface Braces {
  readonly at: number
  readonly options: readonly Sequence[]
}
type Sequence = readonly (Token | Braces)[]

/** The tokens, and how far they are read. */
interface Cursor {
  readonly tokens: readonly Token[]
  next: number
}

const OPEN = code('{')
const CLOSE = code('}')
const COMMA = code(',')
const DOT = code('.')

/** Every alternative of a glob, in order and with duplicates, none empty. */
export function expandBraces(tokens: readonly Token[]): Token[][] {
  refuseUnclosed(tokens)
  const sequence: (Token | Braces)[] = []
  readInto(sequence, { tokens, next: 0 }, false)
  measure(sequence)
  const alternatives = expand(sequence)
  if (alternatives.some((alternative) => alternative.length === 0)) {
    const message = 'The braces leave one alternative empty. Name a path there, or take the alternative out.'
    throw new GlobRefused(message, emptyBraces(sequence))
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

/** Adds what stands up to the end or, within braces, up to their next `,` or `}`; elsewhere these two are literal. */
function readInto(sequence: (Token | Braces)[], cursor: Cursor, within: boolean): void {
  for (;;) {
    const token = cursor.tokens[cursor.next]
    if (token === undefined || (within && (isSign(token, COMMA) || isSign(token, CLOSE)))) return
    cursor.next++
    sequence.push(token)
    if (isSign(token, OPEN)) readBraces(sequence, cursor, token)
  }
}

/**
 * Adds what follows a `{` that is the last of the sequence. Braces with neither a comma nor a range are literal, what is
 * inside keeps its meaning; others take the place of their `{`.
 */
function readBraces(sequence: (Token | Braces)[], cursor: Cursor, open: Token): void {
  const start = sequence.length - 1
  readInto(sequence, cursor, true)
  let end = cursor.tokens[cursor.next++]
  if (end !== undefined && isSign(end, COMMA)) {
    const options = [sequence.splice(start).slice(1)]
    while (end !== undefined && isSign(end, COMMA)) {
      const option: (Token | Braces)[] = []
      readInto(option, cursor, true)
      options.push(option)
      end = cursor.tokens[cursor.next++]
    }
    sequence.push({ at: open.at, options })
  } else if (sequence.some((node, i) => i > start && isDot(node) && isDot(sequence[i + 1]))) {
    sequence.push({ at: open.at, options: readRange(sequence.splice(start).slice(1), open) })
  } else if (end !== undefined) sequence.push(end)
}

function isDot(node: Token | Braces | undefined): boolean {
  return node !== undefined && 'char' in node && node.char === DOT
}

function readRange(sequence: Sequence, open: Token): Sequence[] {
  const text = sequence.map((node) => ('char' in node ? String.fromCodePoint(node.char) : '{}')).join('')
  return rangeMembers(text, open.at).map((member) => literally(member, open.at))
}

function literally(text: string, at: number): Sequence {
  return Array.from(text, (character) => ({ char: code(character), escaped: true, at }))
}

/** How many alternatives a sequence has and how many characters in all; counted before any is made. */
function measure(sequence: Sequence): { count: number; length: number } {
  let [count, length] = [1, 0]
  for (const node of sequence) {
    const options = 'char' in node ? [{ count: 1, length: 1 }] : node.options.map(measure)
    const moreCount = options.reduce((sum, option) => sum + option.count, 0)
    const moreLength = options.reduce((sum, option) => sum + option.length, 0)
    length = length * moreCount + moreLength * count
    count *= moreCount
    if (count > globLimits.alternatives) throw tooManyAlternatives()
    if (length > globLimits.expanded) {
      const message = `The alternatives have over ${globLimits.expanded} characters together. Use a wildcard, or several globs.`
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
      const [first = [], ...others] = alternatives
      const nothingYet = others.length === 0 && first.length === 0
      alternatives = nothingYet
        ? options
        : alternatives.flatMap((start) => options.map((option) => [...start, ...option]))
    }
  }
  return alternatives
}

/** The first braces that hold the empty option of an empty alternative. */
function emptyBraces(sequence: Sequence): number | null {
  const [first] = sequence
  if (first === undefined || 'char' in first) return null
  if (first.options.some((option) => option.length === 0)) return first.at
  const nested = first.options.find((option) => expand(option).some((alternative) => alternative.length === 0))
  return nested === undefined ? null : emptyBraces(nested)
}
