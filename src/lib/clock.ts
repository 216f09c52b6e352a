/**
 * Whether it happened less than `ms` before `now`, all in milliseconds. A clock that was set back must prolong nothing: what
 * comes from the future is over.
 */
export function isWithin(at: number, ms: number, now: number): boolean {
  return now >= at && now - at < ms
}
