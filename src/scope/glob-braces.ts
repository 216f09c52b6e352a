import { GlobRefused } from './glob-fault.ts'
import { code, isSign, type Token } from './glob-token.ts'

export const MAX_ALTERNATIVES = 256
export const MAX_EXPANDED_CHARACTERS = 4096

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
  const sequence = readSequence({ tokens, next: 0 }, false)
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

/** Reads to the end or, within braces, to their next `,` or `}`; outside of braces these two are literal. */
function readSequence(cursor: Cursor, within: boolean): Sequence {
  const sequence: (Token | Braces)[] = []
  for (;;) {
    const token = cursor.tokens[cursor.next]
    if (token === undefined) return sequence
    if (within && (isSign(token, COMMA) || isSign(token, CLOSE))) return sequence
    cursor.next++
    if (isSign(token, OPEN)) sequence.push(...readBraces(cursor, token))
    else sequence.push(token)
  }
}

/** Reads what follows a `{`. Braces with neither a comma nor a range are literal; what is inside keeps its meaning. */
function readBraces(cursor: Cursor, open: Token): Sequence {
  const options: Sequence[] = []
  for (;;) {
    options.push(readSequence(cursor, true))
    const end = cursor.tokens[cursor.next++]
    if (end !== undefined && isSign(end, COMMA)) continue
    const [only = []] = options
    if (options.length > 1) return [{ at: open.at, options }]
    if (hasTwoDots(only)) return [{ at: open.at, options: readRange(only, open) }]
    return end === undefined ? [open, ...only] : [open, ...only, end]
  }
}

function hasTwoDots(sequence: Sequence): boolean {
  return sequence.some((node, i) => isDot(node) && isDot(sequence[i + 1]))
}

function isDot(node: Token | Braces | undefined): boolean {
  return node !== undefined && 'char' in node && node.char === DOT
}

/** The members of `{1..9}` or `{a..f}`, in either order. */
function readRange(sequence: Sequence, open: Token): Sequence[] {
  const text = sequence
    .map((node) => ('char' in node && !node.escaped ? String.fromCodePoint(node.char) : '{'))
    .join('')
  const numbers = /^(0|[1-9]\d*)\.\.(0|[1-9]\d*)$/.exec(text)
  if (numbers) {
    const [from, to] = [BigInt(numbers[1] ?? 0), BigInt(numbers[2] ?? 0)]
    return rangeOf(from, to).map((value) => literally(String(value), open.at))
  }
  if (/^([a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])$/.test(text)) {
    const letters = rangeOf(BigInt(text.charCodeAt(0)), BigInt(text.charCodeAt(3)))
    return letters.map((value) => literally(String.fromCodePoint(Number(value)), open.at))
  }
  const message =
    'A range in braces is of whole numbers without padding, {1..9}, or of letters of one case, {a..f}. ' +
    'List the alternatives with commas, or write "\\{" for a real name.'
  throw new GlobRefused(message, open.at)
}

function rangeOf(from: bigint, to: bigint): bigint[] {
  const step = from <= to ? 1n : -1n
  const count = (to - from) * step + 1n
  if (count > MAX_ALTERNATIVES) throw tooManyAlternatives()
  return Array.from({ length: Number(count) }, (_, i) => from + step * BigInt(i))
}

function literally(text: string, at: number): Sequence {
  return Array.from(text, (character) => ({ char: code(character), escaped: false, at }))
}

function tooManyAlternatives(): GlobRefused {
  return new GlobRefused(
    `The braces make over ${MAX_ALTERNATIVES} alternatives. Use a wildcard, or several globs.`,
    null,
  )
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
    if (count > MAX_ALTERNATIVES) throw tooManyAlternatives()
    if (length > MAX_EXPANDED_CHARACTERS) {
      const message = `The alternatives have over ${MAX_EXPANDED_CHARACTERS} characters together. Use a wildcard, or several globs.`
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

/** The first braces that hold the empty option of an empty alternative. */
function emptyBraces(sequence: Sequence): number | null {
  const [first] = sequence
  if (first === undefined || 'char' in first) return null
  if (first.options.some((option) => option.length === 0)) return first.at
  const nested = first.options.find((option) => expand(option).some((alternative) => alternative.length === 0))
  return nested === undefined ? null : emptyBraces(nested)
}
