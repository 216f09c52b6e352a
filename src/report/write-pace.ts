/**
 * How many requests write check runs and their suites in one owner's repositories, below GitHub's limits for requests that
 * create content. A check run takes one to three.
 */
export const mostWrites = { minute: 60, hour: 400 } as const

const minute = 60_000
const hour = 60 * minute

/** Whether one more may be written now. `times`: when the last ones were, in ms. */
export function mayWrite(times: readonly number[], now: number): boolean {
  const within = (ms: number) => times.filter((time) => time > now - ms).length
  return within(minute) < mostWrites.minute && within(hour) < mostWrites.hour
}

/** The times of writes that still count, with this one. */
export function withWrite(times: readonly number[], now: number): number[] {
  return [...times.filter((time) => time > now - hour), now]
}
