/** The clock of a test, which the service uses. */
export interface Clock {
  now(): Date
  /** Advances the time by milliseconds. */
  advance(ms: number): void
}

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export function startClock(at = '2026-11-20T09:30:00.000Z'): Clock {
  let time = Date.parse(at)
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}
