import { describe, expect, it } from 'vitest'
import {
  isFullListDue,
  newestKnown,
  retryAt,
  updatesSince,
} from '../../../../src/service/github/pulls/listing-rules.ts'
import { day, hour, minute, second } from '../../../support/clock.ts'

const now = new Date('2026-11-20T09:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

describe('a failed reading', () => {
  const waits = (isBehind: boolean) =>
    [0, 1, 2, 5, 6, 500].map((n) => retryAt(n, now, isBehind).getTime() - now.getTime())

  it('is tried again after a minute, then after twice as long each time, up to an hour', () => {
    expect(waits(false)).toEqual([minute, 2 * minute, 4 * minute, 32 * minute, hour, hour])
  })

  it('is tried sooner where GitHub only is behind its webhooks', () => {
    expect(waits(true)).toEqual([5, 10, 20, 160, 320, 3_600].map((seconds) => seconds * second))
  })
})

describe('all open pull requests', () => {
  it('are listed at first, and once a day', () => {
    const newest_updated_at = ago(hour)
    expect(isFullListDue({ walked_at: null, newest_updated_at }, now)).toBe(true)
    expect(isFullListDue({ walked_at: ago(hour), newest_updated_at: null }, now)).toBe(true)
    expect(isFullListDue({ walked_at: ago(day - 1), newest_updated_at }, now)).toBe(false)
    expect(isFullListDue({ walked_at: ago(day), newest_updated_at }, now)).toBe(true)
  })
})

describe('the newest known update', () => {
  it('is the newest that was listed, or the saved one', () => {
    const listed = [{ updatedAt: ago(5 * minute) }, { updatedAt: ago(minute) }]
    expect(newestKnown(listed, ago(hour), now)).toEqual(ago(minute))
    expect(newestKnown([], ago(minute), now)).toEqual(ago(minute))
  })

  it('is not older than an hour in a quiet repository', () => {
    expect(newestKnown([{ updatedAt: ago(400 * day) }], null, now)).toEqual(ago(hour))
  })
})

describe('updates are listed', () => {
  const since = (changes: Partial<Parameters<typeof updatesSince>[0]>, state = {}) =>
    updatesSince({
      state: { newest_updated_at: ago(hour), listed_at: ago(2 * hour), ...state },
      ...{ oldestWork: ago(3 * hour), began: now, isObserved: true, isFullList: false },
      ...changes,
    })
  const nothingListed = { newest_updated_at: null, listed_at: null }

  it('from 5 minutes before the newest that is known, whatever work is live', () => {
    expect(since({})).toEqual(ago(hour + 5 * minute))
    expect(since({ oldestWork: null })).toEqual(ago(hour + 5 * minute))
  })

  it('from half a minute before the oldest work, where nothing was listed before', () => {
    expect(since({ isObserved: false }, nothingListed)).toEqual(ago(3 * hour + 30 * second))
    expect(since({ isFullList: true }, nothingListed)).toEqual(ago(3 * hour + 30 * second))
  })

  it('where nothing is observed, from the last list or the oldest work, whichever is later', () => {
    expect(since({ isObserved: false })).toEqual(ago(2 * hour + 5 * minute))
    expect(since({ isObserved: false, oldestWork: ago(hour) })).toEqual(ago(hour + 30 * second))
  })

  it('beside a list of all open ones only for the last minutes, unless work is live', () => {
    expect(since({ isFullList: true, oldestWork: null }, nothingListed)).toEqual(ago(5 * minute))
    expect(since({ isFullList: true, oldestWork: ago(minute) })).toEqual(ago(5 * minute))
  })
})
