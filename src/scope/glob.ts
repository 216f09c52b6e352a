import { expandBraces } from './glob-braces.ts'
import { type GlobFault, GlobRefused } from './glob-fault.ts'
import { readTokens } from './glob-token.ts'
import { type PathPattern, readPath } from './path-pattern.ts'
import { type Segment, segmentReader } from './segment.ts'

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
  const alternatives = expandBraces(readTokens(text))
  const readSegment = segmentReader()
  const paths = alternatives.flatMap((tokens) => readPath(tokens, readSegment))
  return {
    text,
    alternativeCount: alternatives.length,
    files: [...new Set(paths.flatMap(({ filePath }) => filePath ?? []))],
    paths,
    size: paths.flatMap(({ items }) => items).reduce((sum, segment) => sum + sizeOf(segment), 0),
  }
}

/** Brackets are decided by a costlier way than all else. */
function sizeOf({ shapes }: Segment): number {
  return shapes.reduce((sum, { items, jumps }) => sum + (1 + items.length) * (jumps.length > 0 ? 8 : 1), 0)
}
