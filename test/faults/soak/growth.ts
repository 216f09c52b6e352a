/**
 * The limits of the median of the last third, given that of the middle third. The first third is warm-up. Memory may grow by a
 * share, since garbage collection varies by some percent; open files, handles and connections by a number.
 */
export const bounds = {
  rss: (middle) => middle * 1.1,
  heap: (middle) => middle * 1.15,
  files: (middle) => middle + 5,
  handles: (middle) => middle + 5,
  temporaryFiles: (middle) => middle,
} as const satisfies Record<string, Bound>

/**
 * What is deleted after a minute stays about as much, although the load varies. What is never deleted has two thirds more in
 * the last third than in the middle.
 */
export const rowBound: Bound = (middle) => middle * 1.4 + 50

export const connectionBound: Bound = (middle) => middle + 5

export type Bound = (middle: number) => number

export interface Growth {
  held: string
  middle: number
  last: number
  isWithin: boolean
}

/**
 * Compares the medians of each measure with its limit; of the heap the lowest values, since it rises until a garbage collection.
 * Needs a sample in each third.
 */
export function growthOf<Held extends string>(
  samples: readonly Readonly<Record<Held, number>>[],
  limits: Readonly<Record<Held, Bound>>,
): Growth[] {
  const third = Math.floor(samples.length / 3)
  if (third === 0) throw new Error('too few samples')
  return (Object.keys(limits) as Held[]).map((held) => {
    const values = samples.map((sample) => sample[held])
    const level = held === 'heap' ? lowest : median
    const middle = level(values.slice(third, 2 * third))
    const last = level(values.slice(2 * third))
    return { held, middle, last, isWithin: last <= limits[held](middle) }
  })
}

function lowest(values: readonly number[]): number {
  return Math.min(...values)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? upper) + upper) / 2 : upper
}
