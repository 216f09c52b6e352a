import { describe, expect, it } from 'vitest'
import {
  isDue,
  lastAttempts,
  listedFrom,
  settledUntil,
} from '../../../../src/service/github/recovery/redelivery-rules.ts'

const now = new Date('2026-11-20T09:30:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const failure = (id: number, guid: string, minutes: number) => ({
  id,
  guid,
  event: 'push',
  delivered_at: ago(minutes),
})

describe('failed deliveries', () => {
  it('are listed for three days at most, with an overlap to the last listing', () => {
    expect(listedFrom(null, now)).toEqual(ago(3 * 24 * 60))
    expect(listedFrom(ago(9 * 24 * 60), now)).toEqual(ago(3 * 24 * 60))
    expect(listedFrom(ago(10), now)).toEqual(ago(15))
  })

  it('are the last attempts of their GUIDs', () => {
    const tries = [failure(4, 'b', 1), failure(3, 'a', 2), failure(2, 'b', 3), failure(1, 'a', 4)]
    expect(lastAttempts(tries).map(({ id }) => id)).toEqual([3, 4])
  })

  it('are due an hour after the last request, up to five times', () => {
    expect(isDue(undefined, now)).toBe(true)
    expect(isDue({ attempts: 1, requestedAt: ago(59) }, now)).toBe(false)
    expect(isDue({ attempts: 4, requestedAt: ago(60) }, now)).toBe(true)
    expect(isDue({ attempts: 5, requestedAt: ago(600) }, now)).toBe(false)
  })

  it('are settled up to the oldest open one', () => {
    const tries = [failure(3, 'a', 2), failure(2, 'b', 30), failure(1, 'c', 40)]
    expect(settledUntil(tries, new Set(['a', 'b']), now)).toEqual(ago(30))
    expect(settledUntil(tries, new Set(), now)).toEqual(now)
  })
})
