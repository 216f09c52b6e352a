import type { ParsedGlob } from './glob.ts'
import type { PathPattern } from './path-pattern.ts'
import type { Segment } from './segment.ts'

/**
 * About how many bytes a segment takes, as measured, up to a third more: 500 with a short name, and for each character
 * the number that stands for it, and itself in its name and its end.
 */
export function bytesOfSegment({ name, tail, affixes, shapes }: Segment): number {
  let bytes = 300 + bytesOfTexts(name ?? '', tail, affixes?.head ?? '', affixes?.tail ?? '')
  for (const { items, gaps, jumps } of shapes) {
    bytes += 200 + 12 * (items.length + gaps.length)
    for (const { by } of jumps) bytes += 200 + 12 * by.ranges.length
  }
  return bytes
}

/** About how many bytes a glob takes that was read, its text included and its segments left out, which it may share. */
export function bytesOfGlob(text: string, parsed: ParsedGlob): number {
  const bytes = 300 + bytesOfTexts(text)
  return parsed.ok ? parsed.glob.paths.reduce((sum, path) => sum + bytesOfPath(path), bytes) : bytes + 500
}

function bytesOfPath({ items, gaps, key, filePath }: PathPattern): number {
  return 400 + 12 * (items.length + gaps.length) + bytesOfTexts(key, filePath ?? '')
}

/** Whichever way they are written: two bytes a character, where one is above U+00FF. */
export function bytesOfTexts(...texts: string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, 0)
}
