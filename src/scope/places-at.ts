/** From this number on these places are told, or no longer where they were. */
export interface Change {
  readonly at: number
  readonly places: readonly number[]
}

/** The places that are told at each number, as bits: a row for all numbers from one change up to the next. */
export interface PlacesAt {
  readonly bits: Uint32Array
  /** Where the row of this number begins. */
  readonly rowAt: (number: number) => number
}

export function placesAt(changes: readonly Change[], words: number): PlacesAt {
  const begins = Uint32Array.from(new Set(changes.map(({ at }) => at))).sort()
  const rowAt = (number: number) => words * countUpTo(begins, number)
  const bits = new Uint32Array((begins.length + 1) * words)
  for (const { at, places } of changes) {
    const row = rowAt(at)
    for (const place of places) {
      const word = row + (place >>> 5)
      bits[word] = (bits[word] ?? 0) ^ (1 << (place & 31))
    }
  }
  for (let w = words; w < bits.length; w++) bits[w] = (bits[w] ?? 0) ^ (bits[w - words] ?? 0)
  return { bits, rowAt }
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
