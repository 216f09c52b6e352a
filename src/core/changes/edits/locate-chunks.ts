import type { Span } from '../spans.ts'
import { linesOf, withPlainEnds } from './text-lines.ts'

/** A part of a patch without line numbers: its lines say where it belongs. */
export interface PatchChunk {
  /** A line above the chunk, such as the head of a function. */
  heading: string | undefined
  /** Unchanged, removed and added lines, with the sign ` `, `-` or `+`. */
  lines: readonly string[]
  atEnd: boolean
}

/** The lines that the chunks change, in their order; null where the lines around one are not found. */
export function locateChunks(chunks: readonly PatchChunk[], text: string): Span[] | null {
  return placeChunks(chunks, plainLinesOf(text))?.flatMap(({ lines, at }) => changedSpans(lines, at)) ?? null
}

/** The text after the chunks are applied; null where the lines around one are not found. */
export function applyChunks(chunks: readonly PatchChunk[], text: string): string | null {
  const present = plainLinesOf(text)
  const placed = placeChunks(chunks, present)
  if (!placed) return null
  const after: string[] = []
  let from = 0
  for (const { lines, at } of placed) {
    if (at < from) return null
    after.push(...present.slice(from, at))
    from = at
    for (const line of lines) {
      if (line.startsWith('+')) after.push(line.slice(1))
      else {
        if (!line.startsWith('-')) after.push(...present.slice(from, from + 1))
        from += 1
      }
    }
  }
  after.push(...present.slice(from))
  return after.map((line) => `${line}\n`).join('')
}

function plainLinesOf(text: string): string[] {
  return linesOf(withPlainEnds(text)).map((line) => line.replace(/\n$/, ''))
}

interface PlacedChunk {
  lines: readonly string[]
  /** The number of lines before it. */
  at: number
}

function placeChunks(chunks: readonly PatchChunk[], present: readonly string[]): PlacedChunk[] | null {
  const placed: PlacedChunk[] = []
  let from = 0
  for (const { heading, lines, atEnd } of chunks) {
    if (heading !== undefined) {
      const at = seek(present, [heading], from)
      if (at < 0) return null
      from = at + 1
    }
    const old = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    // A chunk that only adds lines goes to the end.
    const at = old.length === 0 ? present.length : seekLoosely(present, old, from, atEnd)
    if (at < 0) return null
    if (old.length > 0) from = Math.min(at + old.length, present.length)
    placed.push({ lines, at })
  }
  return placed
}

/** A chunk may end with an empty line that the file does not have. */
function seekLoosely(present: readonly string[], old: readonly string[], from: number, atEnd: boolean): number {
  const start = atEnd ? Math.max(from, present.length - old.length) : from
  const at = seek(present, old, start)
  return at < 0 && old.length > 1 && old.at(-1) === '' ? seek(present, old.slice(0, -1), from) : at
}

/** Lines are compared exactly, else without white space at their end, else without any around them. */
const readings = [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]

function seek(present: readonly string[], wanted: readonly string[], from: number): number {
  for (const read of readings) {
    const pattern = wanted.map(read)
    for (let at = from; at + wanted.length <= present.length; at++)
      if (pattern.every((line, index) => line === read(present[at + index] ?? ''))) return at
  }
  return -1
}

/** The runs of removed and added lines of a chunk that begins after the line `at`. */
function changedSpans(lines: readonly string[], at: number): Span[] {
  const spans: Span[] = []
  let start: number | null = null
  let line = at
  for (const text of [...lines, ' ']) {
    const isChange = text.startsWith('+') || text.startsWith('-')
    if (isChange) start ??= line
    else if (start !== null) {
      spans.push([start, line])
      start = null
    }
    if (!text.startsWith('+')) line++
  }
  return spans
}
