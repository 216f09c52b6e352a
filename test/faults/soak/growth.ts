import type { Sample } from './sample.ts'

export type Held = Exclude<keyof Sample, 'at'>

/**
 * The limits of the median of the last third, given that of the middle third. The first third is warm-up. Memory may grow by a
 * share, since garbage collection varies by some percent; open files by a number.
 */
export const bounds: Readonly<Record<Held, (middle: number) => number>> = {
  rss: (middle) => middle * 1.1,
  heap: (middle) => middle * 1.15,
  files: (middle) => middle + 5,
}

export interface Growth {
  held: Held
  middle: number
  last: number
  isWithin: boolean
}

/** Compares the medians of each measure with its limit. Needs a sample in each third. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const third = Math.floor(samples.length / 3)
  if (third === 0) throw new Error('too few samples')
  return (['rss', 'heap', 'files'] as const).map((held) => {
    const values = samples.map((sample) => sample[held])
    const middle = median(values.slice(third, 2 * third))
    const last = median(values.slice(2 * third))
    return { held, middle, last, isWithin: last <= bounds[held](middle) }
  })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? upper) + upper) / 2 : upper
}
