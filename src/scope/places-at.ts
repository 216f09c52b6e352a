/** The places that are told at each number, as bits: a row for all numbers from one change up to the next. */
export interface PlacesAt {
  readonly bits: Uint32Array
  /** Where the row of this number begins. */
  readonly rowAt: (number: number) => number
}

/** From each of these numbers on its places are told, or no longer where they were. */
export function placesAt(changes: ReadonlyMap<number, readonly number[]>, words: number): PlacesAt {
  const begins = Uint32Array.from(changes.keys()).sort()
  const bits = new Uint32Array((begins.length + 1) * words)
  for (let n = 0; n < begins.length; n++) {
    const row = (n + 1) * words
    bits.copyWithin(row, row - words, row)
    for (const place of changes.get(begins[n] ?? 0) ?? []) {
      const word = row + (place >>> 5)
      bits[word] = (bits[word] ?? 0) ^ (1 << (place & 31))
    }
  }
  return { bits, rowAt: (number) => words * countUpTo(begins, number) }
}

/** How many of the numbers, which ascend, are not above this one. */
function countUpTo(numbers: Uint32Array, last: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((numbers[middle] ?? 0) <= last) from = middle + 1
    else to = middle
  }
  return from
}
