/** Sets of small numbers as bits, 32 to a word. */
export function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

export function hasBit(bits: Uint32Array, place: number): boolean {
  return (((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

/** The first number of a word that is not empty. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** The first number that all of the sets hold, or -1. */
export function firstCommon(a: Uint32Array, b: Uint32Array, c: Uint32Array = b): number {
  for (let w = 0; w < a.length; w++) {
    const bits = (a[w] ?? 0) & (b[w] ?? 0) & (c[w] ?? 0)
    if (bits !== 0) return w * 32 + lowestBit(bits)
  }
  return -1
}

export function bitsOf(numbers: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words)
  for (const number of numbers) setBit(bits, number)
  return bits
}

/** Hands out empty sets of so many words each, many of one buffer: a buffer for each takes longer than filling it. */
export function setsOf(words: number): () => Uint32Array {
  let bits = new Uint32Array(0)
  let next = 0
  return () => {
    if (next === bits.length) {
      bits = new Uint32Array(16 * words)
      next = 0
    }
    next += words
    return bits.subarray(next - words, next)
  }
}
