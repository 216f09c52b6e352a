import { expandBraces } from './glob-braces.ts'
import { type GlobFault, GlobRefused } from './glob-fault.ts'
import { readTokens, type Token } from './glob-token.ts'
import { type PathPattern, readPath } from './path-pattern.ts'
import { readSegment, type Segment } from './segment.ts'

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
  /** How many characters and segments its readings have together: what comparing it may cost. */
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
  const known = new Map<string, Segment>()
  const segmentOf = (tokens: readonly Token[]) => {
    const key = tokens.map(({ char, escaped }) => (escaped ? '\\' : '') + String.fromCodePoint(char)).join('')
    const segment = known.get(key) ?? readSegment(tokens)
    known.set(key, segment)
    return segment
  }
  const paths = alternatives.flatMap((tokens) => readPath(tokens, segmentOf))
  return {
    text,
    alternativeCount: alternatives.length,
    files: [...new Set(paths.flatMap(({ filePath }) => filePath ?? []))],
    paths,
    size: paths.flatMap(({ items }) => items).reduce((sum, { shapes }) => sum + 1 + (shapes[0]?.items.length ?? 0), 0),
  }
}
