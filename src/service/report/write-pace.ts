/**
 * How many requests write check runs and their suites in one owner's repositories, below GitHub's limits for requests that
 * create content. A check run takes one to three.
 */
export const mostWrites = { minute: 60, hour: 400 } as const

/** How many requests of an hour may have written check runs that only a notable queued, before one more begins. That one takes up to three: so at most half of all. */
const mostForNotables = mostWrites.hour / 2 - 2

const minute = 60_000
const hour = 60 * minute

/** When requests of an owner wrote, in ms. */
export interface WriteTimes {
  all: readonly number[]
  /** Those for check runs that only a notable queued. */
  forNotables: readonly number[]
}

/** Whether one more check run may be written now. */
export function mayWrite({ all, forNotables }: WriteTimes, now: number, byNotable: boolean): boolean {
  const within = (times: readonly number[], ms: number) => times.filter((time) => time > now - ms).length
  if (within(all, minute) >= mostWrites.minute || within(all, hour) >= mostWrites.hour) return false
  return !byNotable || within(forNotables, hour) < mostForNotables
}

/** The times that still count, with a write now. */
export function withWrite({ all, forNotables }: WriteTimes, now: number, byNotable: boolean): WriteTimes {
  const recent = (times: readonly number[]) => times.filter((time) => time > now - hour)
  return { all: [...recent(all), now], forNotables: [...recent(forNotables), ...(byNotable ? [now] : [])] }
}
