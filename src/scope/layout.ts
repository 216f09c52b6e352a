import type { Line } from './line.ts'

/** Where the places of lines are among the bits of words. */
export interface Layout {
  readonly words: number
  /** The first place of each line. */
  readonly offsets: readonly number[]
  /** From one place of a line to the next: a bit, or a word. */
  readonly pitch: 1 | 32
}

/** How many times the room of lines in a row it may take to have them side by side. */
const MOST_ROOM = 2

/** One line after the other: takes the least room. */
export function inARow(lines: readonly Line<unknown>[]): Layout {
  const offsets: number[] = []
  let next = 0
  for (const { items } of lines) {
    offsets.push(next)
    next += items.length + 1
  }
  return { words: (next + 31) >>> 5, offsets, pitch: 1 }
}

/**
 * 32 lines side by side, and then the next ones, the longest first. Lines that are read against one are reached at about
 * the same place, as a rule, and then few words are not 0. In a row where there are too few for the room that this takes.
 */
export function sideBySide(lines: readonly Line<unknown>[]): Layout {
  const lengthOf = (i: number) => (lines[i]?.items.length ?? 0) + 1
  const longestFirst = Array.from(lines.keys()).sort((i, k) => lengthOf(k) - lengthOf(i))
  const offsets = new Array<number>(lines.length).fill(0)
  let [words, start] = [0, 0]
  for (const [n, i] of longestFirst.entries()) {
    if (n % 32 === 0) {
      start = words
      words += lengthOf(i)
    }
    offsets[i] = 32 * start + (n % 32)
  }
  const row = inARow(lines)
  // One word more: what goes on from the last one is nothing, but it is written.
  return words > MOST_ROOM * row.words ? row : { words: words + 1, offsets, pitch: 32 }
}
