/** Rows of as many bits each, one after the other. */
export interface BitTable {
  readonly bits: Uint32Array
  /** How many a row has. */
  readonly words: number
}

/** About what turning over 32 words takes, in steps. */
const STEPS_OF_A_BLOCK = 16

/** Stands for a row that holds nothing. */
export const NONE = -1

export function tableOf(rows: number, columns: number): BitTable {
  const words = (columns + 31) >>> 5
  return { bits: new Uint32Array(rows * words), words }
}

export function rowAt({ bits, words }: BitTable, row: number): Uint32Array {
  return bits.subarray(row * words, (row + 1) * words)
}

/**
 * For each column of a table a row: which of these rows hold it, by their place in the list. A row may be listed more than
 * once, or NONE. Takes 32 rows and columns at a time: there may be hundreds of both, all distinct.
 */
export function turnedOver({ bits, words }: BitTable, rows: Int16Array, work: { steps: number }): BitTable {
  const turned = tableOf(32 * words, rows.length)
  const block = new Uint32Array(32)
  for (let first = 0; first < rows.length; first += 32) {
    const count = Math.min(32, rows.length - first)
    for (let w = 0; w < words; w++) {
      let all = 0
      for (let k = 0; k < count; k++) {
        const row = rows[first + k] ?? NONE
        const word = row === NONE ? 0 : (bits[row * words + w] ?? 0)
        block[k] = word
        all |= word
      }
      if (all === 0) continue
      block.fill(0, count)
      turnBlock(block)
      work.steps += STEPS_OF_A_BLOCK
      for (let k = 0, to = 32 * w * turned.words + (first >>> 5); k < 32; k++, to += turned.words) {
        turned.bits[to] = block[k] ?? 0
      }
    }
  }
  return turned
}

/** Swaps two quarters of 32 × 32 bits, then two of each quarter, and so on. */
function turnBlock(block: Uint32Array): void {
  for (let size = 16, low = 0xffff; size > 0; size >>>= 1, low ^= low << size) {
    for (let k = 0; k < 32; k = (k + size + 1) & ~size) {
      const upper = block[k] ?? 0
      const lower = block[k + size] ?? 0
      const swapped = ((upper >>> size) ^ lower) & low
      block[k] = upper ^ (swapped << size)
      block[k + size] = lower ^ swapped
    }
  }
}
