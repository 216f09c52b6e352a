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

/** The numbers that both sets hold, ascending. */
export function commonBits(a: Uint32Array, b: Uint32Array): number[] {
  const common: number[] = []
  for (let w = 0; w < a.length; w++) {
    for (let bits = (a[w] ?? 0) & (b[w] ?? 0); bits !== 0; bits &= bits - 1) common.push(w * 32 + lowestBit(bits))
  }
  return common
}
