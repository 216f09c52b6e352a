import type { Glob } from '../glob/glob.ts'
import { isFileName, type PathPattern } from '../glob/path-pattern.ts'
import { type Segment, segmentWithExtension } from '../glob/segment.ts'
import { segmentsIntersect } from '../match/segments.ts'

/**
 * How much of what lies at its literal prefix a pattern covers: a part (or it is unknown), the whole, or the one file
 * there.
 */
export type Coverage = typeof PART | typeof WHOLE | typeof FILE
export const PART = 0
export const WHOLE = 1
export const FILE = 2

/** The literal ends of a pattern, for finding what could intersect by an index. */
export interface PatternKey {
  /** The whole literal segments at its front, each with a final `/`. Empty where it begins with a wildcard. */
  readonly literalPrefix: string
  /** The literal end of its last segment, reversed. Empty where the end is open. */
  readonly reversedSuffix: string
  readonly coverage: Coverage
}

/** A row of the index: the columns of `scope_keys`. */
export interface IndexKey {
  /** A literal prefix. */
  key: string
  /** A reversed suffix. */
  tail: string
  /** The coverage. */
  extent: Coverage
}

/** In UTF-8 bytes. A row of the index has to fit into a page of a b-tree. */
const longestKey = 800
const longestTail = 400

/** A check looks up each start of a key by itself: a path may have a thousand segments, of which hardly any has more than twenty. */
const mostSegments = 32

/**
 * The keys of a glob's patterns. Where two globs intersect, there is a pattern of each so that of the two prefixes one starts
 * with the other, and likewise of the two reversed suffixes.
 *
 * A file ends in its own name, although paths below it may count. They count only where the other glob has a segment that
 * could be the file's name, so the end of such a glob is open.
 */
export function patternKeys(glob: Glob): PatternKey[] {
  return glob.patterns.map((pattern) => {
    const literalPrefix = pattern.head.slice(0, pattern.head.lastIndexOf('/') + 1)
    return { literalPrefix, reversedSuffix: reversedSuffixOf(pattern), coverage: coverageOf(pattern, literalPrefix) }
  })
}

function reversedSuffixOf({ items, tail }: PathPattern): string {
  return items.slice(0, -1).some(couldBeFile) ? '' : Array.from(tail).reverse().join('')
}

/** Whether a segment matches some name with an extension, and not by wildcards alone. */
function couldBeFile(segment: Segment): boolean {
  if (segment.isLiteral && segment.name !== null) return isFileName(segment.name)
  return !segment.isWild && segmentsIntersect(segment, segmentWithExtension, { steps: 0 })
}

function coverageOf({ items, stars, filePath }: PathPattern, literalPrefix: string): Coverage {
  const named = items.at(-1)?.matchesAll ? items.slice(0, -1) : items
  // A bracket ends the prefix, also where its own text is meant.
  if (literalPrefix !== named.map(({ name }) => `${name}/`).join('')) return PART
  if (filePath !== null) return FILE
  return stars.length === 1 && stars[0] === named.length ? WHOLE : PART
}

/** The distinct keys of globs. A long prefix or suffix is cut, which finds more and misses nothing. */
export function indexKeys(globs: readonly Glob[]): IndexKey[] {
  const found = new Map<string, IndexKey>()
  for (const glob of globs) {
    for (const { literalPrefix, reversedSuffix, coverage } of patternKeys(glob)) {
      const [key, tail] = [cutPrefix(literalPrefix), cutSuffix(reversedSuffix)]
      const place = `${key}\0${tail}`
      const extent = key === literalPrefix ? coverage : PART
      const known = found.get(place)
      if (known === undefined || known.extent < extent) found.set(place, { key, tail, extent })
    }
  }
  return [...found.values()]
}

/** As many segments from the front as fit, each with its `/`. */
function cutPrefix(prefix: string): string {
  let end = 0
  for (let segments = 0; segments < mostSegments && end < prefix.length; segments++) end = prefix.indexOf('/', end) + 1
  let short = prefix.slice(0, end)
  while (Buffer.byteLength(short) > longestKey) short = short.slice(0, short.lastIndexOf('/', short.length - 2) + 1)
  return short
}

function cutSuffix(suffix: string): string {
  let short = suffix
  while (Buffer.byteLength(short) > longestTail) short = short.slice(0, startOfLast(short, short.length))
  return short
}

/** The index of the last character before `end`. Some characters are two units long. */
function startOfLast(text: string, end: number): number {
  return end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? end - 2 : end - 1
}

/** The prefix itself and every prefix above it, the empty one included. */
export function prefixesAbove(prefix: string): string[] {
  const above = ['']
  for (let end = prefix.indexOf('/'); end !== -1; end = prefix.indexOf('/', end + 1))
    above.push(prefix.slice(0, end + 1))
  return above
}

/**
 * The first text after all those that start with this one, by code points, which is the order of the collation "C" over
 * UTF-8. Where there is none, a text longer than any key.
 */
export function endOfRange(start: string): string {
  for (let end = start.length; end > 0; end = startOfLast(start, end)) {
    const last = startOfLast(start, end)
    const next = (start.codePointAt(last) ?? 0) + 1
    if (next <= 0x10ffff) return start.slice(0, last) + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
  }
  return '\u{10ffff}'.repeat(longestKey)
}

/** Every start of a reversed suffix, the empty one and the suffix itself included. */
export function startsOf(suffix: string): string[] {
  const starts = ['']
  for (const character of suffix) starts.push(`${starts.at(-1)}${character}`)
  return starts
}
