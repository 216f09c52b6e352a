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
  const present = linesOf(withPlainEnds(text)).map((line) => line.replace(/\n$/, ''))
  const spans: Span[] = []
  let from = 0
  for (const { heading, lines, atEnd } of chunks) {
    if (heading !== undefined) {
      const at = seek(present, [heading], from)
      if (at < 0) return null
      from = at + 1
    }
    const old = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    if (old.length === 0) {
      // Lines without any around them go to the end.
      if (lines.length > 0) spans.push([present.length, present.length])
      continue
    }
    const at = seekLoosely(present, old, from, atEnd)
    if (at < 0) return null
    from = Math.min(at + old.length, present.length)
    spans.push(...changedSpans(lines, at))
  }
  return spans
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
