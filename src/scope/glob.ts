import { expandBraces } from './glob-braces.ts'
import { type GlobFault, GlobRefused } from './glob-fault.ts'
import { globLimits } from './glob-limits.ts'
import { readTokens } from './glob-token.ts'
import { type PathPattern, pathsOf, readPath } from './path-pattern.ts'
import { type Segment, segmentReader } from './segment.ts'
import { knownSegment } from './segment-cache.ts'

export type { GlobFault }

/** A path glob, read and ready to be compared. */
export interface Glob {
  /** As it was given. */
  readonly text: string
  /** How many alternatives its braces make, duplicates counted. */
  readonly alternativeCount: number
  /** The files that it names without wildcards. */
  readonly files: readonly string[]
  readonly paths: readonly PathPattern[]
  /** About how many characters and segments its readings have together: what comparing it may cost. */
  readonly size: number
}

export type ParsedGlob = { ok: true; glob: Glob } | { ok: false; fault: GlobFault }

/** Reads a glob of the dialect (glob-dialect.md), or says what is wrong with it, where, and what to write instead. */
export function parseGlob(text: string): ParsedGlob {
  try {
    return { ok: true, glob: readGlob(text) }
  } catch (error) {
    if (!(error instanceof GlobRefused)) throw error
    return { ok: false, fault: error.fault }
  }
}

function readGlob(text: string): Glob {
  const plain = readPlain(text)
  if (plain) return globOf(text, plain, 1)
  const alternatives = expandBraces(readTokens(text))
  const readSegment = segmentReader()
  return globOf(
    text,
    alternatives.flatMap((tokens) => readPath(tokens, readSegment)),
    alternatives.length,
  )
}

/** What could mean anything but itself, stars left out. */
const special = /[?[\]{}!\\()]/

/** Whether a glob of this text, if it is one, is a path with nothing special in it but stars. */
export function isPlain(text: string): boolean {
  return text !== '' && text.length <= globLimits.characters && !special.test(text)
}

/**
 * Most globs are a path with a star or two. Those are read a segment at a time, and most of their segments are known
 * already, which is several times as fast. Null for all others, and for what has to be refused.
 */
function readPlain(text: string): PathPattern[] | null {
  if (!isPlain(text)) return null
  const names = text.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return null
  const segments = names.map((name) => (name === '**' ? 'globstar' : knownSegment(name)))
  return pathsOf(names.length === 0 || text.endsWith('/') ? [...segments, 'globstar'] : segments)
}

function globOf(text: string, paths: readonly PathPattern[], alternativeCount: number): Glob {
  return {
    text,
    alternativeCount,
    files: [...new Set(paths.flatMap(({ filePath }) => filePath ?? []))],
    paths,
    size: paths.flatMap(({ items }) => items).reduce((sum, segment) => sum + sizeOf(segment), 0),
  }
}

/** Brackets are decided by a costlier way than all else. */
function sizeOf({ shapes }: Segment): number {
  return shapes.reduce((sum, { items, jumps }) => sum + (1 + items.length) * (jumps.length > 0 ? 8 : 1), 0)
}
