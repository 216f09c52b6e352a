import type { BitTable } from './bit-table.ts'

/** Rows of places of a track, by number. */
export interface Rows extends BitTable {
  /** Which words of the row that was looked at last are not 0: few, as a rule. */
  readonly filled: Uint16Array
}

export function rowsOf(count: number, words: number): Rows {
  return { bits: new Uint32Array(count * words), words, filled: new Uint16Array(words + 1) }
}

/** Empty rows: those that there are, if they are enough. */
export function emptied(rows: Rows | null, count: number, words: number): Rows {
  if (rows === null || rows.bits.length < count * words) return rowsOf(count, words)
  rows.bits.fill(0, 0, count * words)
  return rows
}

/** Finds the words of a row that are not 0, and tells how many they are. */
export function look({ bits, words, filled }: Rows, row: number): number {
  let count = 0
  for (let w = 0; w < words; w++) if (bits[row * words + w] !== 0) filled[count++] = w
  return count
}

/** Adds the row looked at last, `from`, to another. */
export function unite({ bits, words, filled }: Rows, count: number, from: number, to: number): void {
  for (let i = 0; i < count; i++) {
    const w = filled[i] ?? 0
    bits[to * words + w] = (bits[to * words + w] ?? 0) | (bits[from * words + w] ?? 0)
  }
}
