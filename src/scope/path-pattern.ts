import { GlobRefused } from './glob-fault.ts'
import { code, isSign, type Token } from './glob-token.ts'
import type { Line } from './line.ts'
import { anySegment, literalSegment, type Segment } from './segment.ts'

/** One reading of one alternative: its segments, with a gap where any number of them may stand. */
export interface PathPattern extends Line<Segment> {
  /** The name of its last segment where that is taken for a file: what lies below it is no part of the line. */
  readonly file: Segment | null
  /** Its whole literal segments at the front, each with a final `/`. */
  readonly key: string
  /** The path of the one file that it names without wildcards. */
  readonly filePath: string | null
}

const [SLASH, DOT, STAR] = [code('/'), code('.'), code('*')]

/** The segments of one alternative, cleaned. Throws where one is `..`. */
export function readPath(tokens: readonly Token[], readSegment: (tokens: readonly Token[]) => Segment): PathPattern[] {
  return pathsOf(cleaned(tokens).map((piece) => (piece === 'globstar' ? piece : readSegment(piece))))
}

/** The readings of a path: one, or two where its last segment has brackets, since by their own text it may be a directory. */
export function pathsOf(segments: readonly (Segment | 'globstar')[]): PathPattern[] {
  const items: Segment[] = []
  const gaps: number[] = []
  for (const [i, segment] of segments.entries()) {
    if (segment !== 'globstar') {
      items.push(segment)
      continue
    }
    if (gaps.at(-1) !== items.length) gaps.push(items.length)
    // At the end at least one segment; behind the gap it leaves the shorter examples.
    if (i === segments.length - 1) items.push(anySegment)
  }
  return readings(items, gaps)
}

function readings(items: readonly Segment[], gaps: readonly number[]): PathPattern[] {
  const last = items.at(-1)
  const key = keyOf(items, gaps)
  const name = last?.name
  const given = { items, gaps, file: null, key, filePath: null }
  if (last === undefined || name === undefined || name === null) return [given]
  const literal = last.literal ? last : literalSegment(name)
  if (isFileName(name)) {
    const names = items.map((segment) => segment.name)
    const filePath = gaps.length > 0 || names.includes(null) ? null : names.join('/')
    return [{ ...given, file: literal, filePath }]
  }
  const open = { ...given, items: [...items.slice(0, -1), literal], gaps: [...gaps, items.length] }
  return last.literal ? [open] : [given, open]
}

/** Whether a name has an extension: only ASCII letters or digits after its last dot, which is not its first character. */
export function isFileName(name: string): boolean {
  return /^.+\.[A-Za-z0-9]+$/s.test(name)
}

function keyOf(items: readonly Segment[], gaps: readonly number[]): string {
  const wild = items.findIndex((segment) => !segment.literal)
  const end = Math.min(gaps[0] ?? items.length, wild < 0 ? items.length : wild)
  return items
    .slice(0, end)
    .map((segment) => `${segment.name}/`)
    .join('')
}

/** Splits into segments, without empty ones and `.`; a slash at the end stands for everything below. */
function cleaned(tokens: readonly Token[]): (readonly Token[] | 'globstar')[] {
  const pieces: (readonly Token[])[] = []
  let from = 0
  for (let i = 0; i <= tokens.length; i++) {
    if (i < tokens.length && tokens[i]?.char !== SLASH) continue
    pieces.push(tokens.slice(from, i))
    from = i + 1
  }
  const kept = pieces.filter((piece) => !(piece.length === 0 || (piece.length === 1 && piece[0]?.char === DOT)))
  for (const piece of kept) if (piece.length === 2 && piece.every(({ char }) => char === DOT)) throw upwards(piece)
  const segments = kept.map((piece) => (isGlobstar(piece) ? 'globstar' : piece))
  return segments.length === 0 || tokens.at(-1)?.char === SLASH ? [...segments, 'globstar'] : segments
}

function isGlobstar(piece: readonly Token[]): boolean {
  return piece.length === 2 && piece.every((token) => isSign(token, STAR))
}

function upwards(piece: readonly Token[]): GlobRefused {
  const message =
    'A segment ".." leads out of where it stands. Write the path as it is from the root of the repository.'
  return new GlobRefused(message, piece[0]?.at ?? null)
}
