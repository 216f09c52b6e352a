/**
 * Whether `at` is less than `ms` before `now`, all in milliseconds. False for a future `at`, so that nothing lasts longer
 * when the clock is set back.
 */
export function isWithin(at: number, ms: number, now: number): boolean {
  return now >= at && now - at < ms
}
