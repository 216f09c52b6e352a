import { expandBraces } from './braces.ts'
import { type BraceLimits, braceLimits, longestGlob, storedBraceLimits } from './limits.ts'
import { type PathPattern, pathPatterns, splitSegments } from './path-pattern.ts'
import { type GlobFault, GlobRefused } from './refusal.ts'
import { Segment, segmentReader } from './segment.ts'
import { STAR } from './segment-parts.ts'
import { codePoint, readTokens, type Token } from './tokens.ts'

export type { GlobFault }

/** A parsed path glob. */
export interface Glob {
  /** The text as given. */
  readonly text: string
  readonly patterns: readonly PathPattern[]
  /** The literal characters that all of its paths start with, where a path ends with a `/`. */
  readonly head: string
  /** The literal characters that all of its paths end with, below a file left out. */
  readonly tail: string
  /** The files that it names without wildcards. */
  readonly files: readonly string[]
  /** Whether some pattern ends with the name of a file. */
  readonly endsInFile: boolean
  /** The number of characters and segments of its patterns. A measure of what comparing it costs. */
  readonly size: number
}

export type ParsedGlob = { ok: true; glob: Glob } | { ok: false; fault: GlobFault }

/**
 * Parses a glob of the dialect, or says what is wrong with it, where, and what to write instead. The limits of braces are those
 * of stored globs.
 */
export function parseGlob(text: string): ParsedGlob {
  return orFault(() => ({ ok: true, glob: toGlob(text, plainPatterns(text) ?? readPatterns(text)) }))
}

/** The number of alternatives of a given glob, duplicates included, or why it is refused. Cheaper than `parseGlob`. */
export function countAlternatives(text: string): { ok: true; count: number } | { ok: false; fault: GlobFault } {
  return orFault(() => ({ ok: true, count: plainSegments(text) ? 1 : readAlternatives(text, braceLimits).length }))
}

function orFault<T>(read: () => T): T | { ok: false; fault: GlobFault } {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GlobRefused)) throw error
    return { ok: false, fault: error.fault }
  }
}

function readAlternatives(text: string, limits: BraceLimits) {
  return expandBraces(readTokens(text), limits).map(splitSegments)
}

function readPatterns(text: string): PathPattern[] {
  const readSegment = segmentReader()
  const read = (segment: readonly Token[] | 'globstar') => (segment === 'globstar' ? segment : readSegment(segment))
  return readAlternatives(text, storedBraceLimits).flatMap((segments) => pathPatterns(segments.map(read)))
}

/** Any character that may have a special meaning, except the star. */
const special = /[?[\]{}!\\()]/

/** The segments of a path without special characters but stars. Null for other globs, and for what is refused. */
function plainSegments(text: string): string[] | null {
  if (text === '' || text.length > longestGlob || special.test(text)) return null
  const names = text.split('/').filter((name) => name !== '' && name !== '.')
  return names.includes('..') ? null : names
}

/** Most globs are a path with a star or two. Reading them without tokens is several times faster. */
function plainPatterns(text: string): PathPattern[] | null {
  const names = plainSegments(text)
  if (names === null) return null
  const segments = names.map((name) => (name === '**' ? 'globstar' : plainSegment(name)))
  return pathPatterns(names.length === 0 || text.endsWith('/') ? [...segments, 'globstar'] : segments)
}

function plainSegment(name: string): Segment {
  if (!name.includes('*')) return new Segment(name)
  return new Segment(Array.from(name.replace(/\*+/g, '*'), (char) => (char === '*' ? STAR : codePoint(char))))
}

function toGlob(text: string, patterns: readonly PathPattern[]): Glob {
  return {
    text,
    patterns,
    head: patterns.map(({ head }) => head).reduce(sharedHead),
    tail: patterns.map(({ tail }) => tail).reduce(sharedTail),
    files: [...new Set(patterns.flatMap(({ filePath }) => filePath ?? []))],
    endsInFile: patterns.some(({ file }) => file !== null),
    size: patterns.reduce((sum, { items }) => items.reduce((length, segment) => length + sizeOf(segment), sum), 0),
  }
}

function sharedHead(a: string, b: string): string {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return a.slice(0, length)
}

function sharedTail(a: string, b: string): string {
  let start = a.length
  while (start > 0 && a.charCodeAt(start - 1) === b.charCodeAt(b.length - (a.length - start) - 1)) start--
  return a.slice(start)
}

/** Brackets cost more than all else. */
function sizeOf(segment: Segment): number {
  return (1 + segment.length) * (segment.hasBracket ? 8 : 1)
}
