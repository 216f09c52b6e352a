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

/** Lists the numbers that both sets hold, ascending, and tells how many they are. */
export function listCommon(a: Uint32Array, b: Uint32Array, list: Uint16Array): number {
  let count = 0
  for (let w = 0; w < a.length; w++) {
    for (let bits = (a[w] ?? 0) & (b[w] ?? 0); bits !== 0; bits &= bits - 1) list[count++] = w * 32 + lowestBit(bits)
  }
  return count
}

/** Adds the numbers of the other set. */
export function addAll(to: Uint32Array, from: Uint32Array): void {
  for (let w = 0; w < to.length; w++) to[w] = (to[w] ?? 0) | (from[w] ?? 0)
}
