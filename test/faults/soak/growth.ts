import type { Sample } from './sample.ts'

export type Held = Exclude<keyof Sample, 'at'>

/**
 * How much more the last third of the time may hold than the middle third, by their medians. The first third is for warming
 * up. Of memory a share, since the collector's own waves are some percent; of files a number.
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

/** Each thing's medians and whether they are within the bound. Needs a sample in each third at least. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const third = Math.floor(samples.length / 3)
  if (third === 0) throw new Error('too few samples to say anything')
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
