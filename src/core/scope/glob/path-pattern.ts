import type { WildcardSequence } from '../match/wildcard-sequence.ts'
import { GlobRefused } from './refusal.ts'
import { anySegment, Segment } from './segment.ts'
import { codePoint, isSign, type Token } from './tokens.ts'

/** One alternative of a glob: its segments, with a star where any number of segments may be. */
export interface PathPattern extends WildcardSequence<Segment> {
  /** The name of its last segment if that is taken for a file. What lies below the file is not part of the sequence. */
  readonly file: Segment | null
  /** The literal characters that each of its paths starts with, where a path ends with a `/`. */
  readonly head: string
  /** The literal characters that each of its paths ends with, below a file left out. */
  readonly tail: string
  /** The path of the one file that it names without wildcards. */
  readonly filePath: string | null
}

/** `**` as a whole segment. */
const GLOBSTAR = 'globstar'

const [SLASH, DOT, STAR] = [codePoint('/'), codePoint('.'), codePoint('*')]

/**
 * The segments of one alternative: empty ones and `.` are dropped, and a slash at the end means everything below.
 * Refuses `..`.
 */
export function splitSegments(tokens: readonly Token[]): (readonly Token[] | typeof GLOBSTAR)[] {
  const pieces: (readonly Token[])[] = []
  let start = 0
  for (let i = 0; i <= tokens.length; i++) {
    if (i < tokens.length && tokens[i]?.char !== SLASH) continue
    const piece = tokens.slice(start, i)
    if (!(piece.length === 0 || (piece.length === 1 && piece[0]?.char === DOT))) pieces.push(piece)
    start = i + 1
  }
  for (const piece of pieces)
    if (piece.length === 2 && piece.every(({ char }) => char === DOT)) throw parentSegment(piece)
  const segments = pieces.map((piece) => (isGlobstar(piece) ? GLOBSTAR : piece))
  return segments.length === 0 || tokens.at(-1)?.char === SLASH ? [...segments, GLOBSTAR] : segments
}

function isGlobstar(piece: readonly Token[]): boolean {
  return piece.length === 2 && piece.every((token) => isSign(token, STAR))
}

function parentSegment(piece: readonly Token[]): GlobRefused {
  const message =
    'A segment ".." leads out of where it stands. Write the path as it is from the root of the repository.'
  return new GlobRefused(message, piece[0]?.at ?? null)
}

/**
 * The patterns of one alternative. There are two where the last segment has brackets: by its own text it may be a directory,
 * and then everything below it is meant.
 */
export function pathPatterns(segments: readonly (Segment | typeof GLOBSTAR)[]): PathPattern[] {
  const items: Segment[] = []
  const stars: number[] = []
  for (const [i, segment] of segments.entries()) {
    if (segment !== GLOBSTAR) {
      items.push(segment)
      continue
    }
    if (stars.at(-1) !== items.length) stars.push(items.length)
    // At the end it is at least one segment.
    if (i === segments.length - 1) items.push(anySegment)
  }
  return readings(items, stars)
}

function readings(items: readonly Segment[], stars: readonly number[]): PathPattern[] {
  const last = items.at(-1)
  const name = last?.name ?? null
  const given = { items, stars, file: null, head: headOf(items, stars), tail: last?.tail ?? '', filePath: null }
  if (last === undefined || name === null) return [given]
  const literal = last.isLiteral ? last : new Segment(name)
  if (isFileName(name)) {
    const names = items.map((segment) => segment.name)
    const filePath = stars.length > 0 || names.includes(null) ? null : names.join('/')
    return [{ ...given, file: literal, filePath }]
  }
  const below = { ...given, items: [...items.slice(0, -1), literal], stars: [...stars, items.length], tail: '' }
  return last.isLiteral ? [below] : [given, below]
}

/** Whether a name has an extension: ASCII letters or digits after its last dot, which is not its first character. */
export function isFileName(name: string): boolean {
  return /^.+\.[A-Za-z0-9]+$/s.test(name)
}

function headOf(items: readonly Segment[], stars: readonly number[]): string {
  const end = stars[0] ?? items.length
  let head = ''
  for (let i = 0; i < end; i++) {
    const segment = items[i]
    if (segment === undefined || !segment.isLiteral) return head + (segment?.head ?? '')
    head += `${segment.name}/`
  }
  return head
}
