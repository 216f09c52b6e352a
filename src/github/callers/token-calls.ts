import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import { callsPerHour } from './call-budget.ts'

const hourMs = 3_600_000

/** Counts a call. False if none is left in the hour, which begins with the first call. */
export type TakeTokenCall = (tokenKey: string) => boolean

/**
 * Counts the calls of readings for tokens whose account is not known. Only in memory: nothing that is derived from a token is
 * stored. `now` is in ms since 1970.
 */
export function createTokenCalls({ tokens, now }: { tokens: number; now: () => number }): TakeTokenCall {
  const hours = new LRUCache<string, { since: number; calls: number }>({ max: tokens })
  return (tokenKey) => {
    const hour = hours.get(tokenKey)
    const current = hour && isWithin(hour.since, hourMs, now()) ? hour : { since: now(), calls: 0 }
    if (current.calls >= callsPerHour) return false
    hours.set(tokenKey, { ...current, calls: current.calls + 1 })
    return true
  }
}
