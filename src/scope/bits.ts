/** Sets of small numbers as bits, 32 to a word. */
export function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

export function hasBit(bits: Uint32Array, place: number): boolean {
  return (((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

/** The first number of the set in this range, else `end`. */
export function firstBit(row: Uint32Array, from: number, end: number): number {
  for (let place = from; place < end; place = (place | 31) + 1) {
    const rest = (row[place >>> 5] ?? 0) >>> (place & 31)
    if (rest !== 0) return Math.min(end, place + 31 - Math.clz32(rest & -rest))
  }
  return end
}

/** Adds all numbers from `from` to before `end`. */
export function setBits(row: Uint32Array, from: number, end: number): void {
  for (let place = from; place < end; place = (place | 31) + 1) {
    const upTo = Math.min(end, (place | 31) + 1) - (place & ~31)
    const bits = (upTo === 32 ? -1 : (1 << upTo) - 1) & (-1 << (place & 31))
    row[place >>> 5] = (row[place >>> 5] ?? 0) | bits
  }
}

/** The first number that all of the sets hold, or -1. */
export function firstCommon(a: Uint32Array, b: Uint32Array, c: Uint32Array = b): number {
  for (let w = 0; w < a.length; w++) {
    const bits = (a[w] ?? 0) & (b[w] ?? 0) & (c[w] ?? 0)
    if (bits !== 0) return w * 32 + 31 - Math.clz32(bits & -bits)
  }
  return -1
}
