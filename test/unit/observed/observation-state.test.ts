import { describe, expect, it } from 'vitest'
import { observationStateOf, type ReadingFacts } from '../../../src/service/observed/observation-state.ts'

const minute = 60_000
const now = new Date('2026-11-20T09:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const reconcileIntervalMs = 60 * minute

const read: ReadingFacts = {
  isObserved: true,
  mayRead: true,
  byApp: false,
  completedAt: ago(minute),
  failedAt: null,
  unread: 0,
  unreadBranches: 0,
  unreadSince: null,
  partlyListed: [],
}

const stateOf = (changes: Partial<ReadingFacts>) =>
  observationStateOf({ ...read, ...changes }, { now, reconcileIntervalMs })
const wordOf = (changes: Partial<ReadingFacts>) => stateOf(changes).pull_requests

describe('the state of the observed pull requests', () => {
  it('is off where nothing is observed, whatever is stored', () => {
    expect(stateOf({ isObserved: false, mayRead: false, unread: 3 })).toEqual({
      pull_requests: 'off',
      as_of: null,
      unread: 0,
    })
  })

  it('is unavailable to a token that may not read pull requests, and then contains nothing about them', () => {
    expect(stateOf({ mayRead: false, unread: 3 })).toEqual({ pull_requests: 'unavailable', as_of: null, unread: 0 })
  })

  it('is reading until the first complete reading, also after a failed one', () => {
    const reading = { pull_requests: 'reading', as_of: null, unread: 3 }
    expect(stateOf({ completedAt: null, unread: 3 })).toEqual(reading)
    expect(stateOf({ completedAt: null, unread: 3, failedAt: now })).toEqual(reading)
    expect(stateOf({ completedAt: null, unread: 3, byApp: true })).toEqual(reading)
  })

  it('has the beginning of the last complete reading and the number of unread pull requests', () => {
    expect(stateOf({ unread: 2, unreadSince: now })).toEqual({
      pull_requests: 'current',
      as_of: ago(minute),
      unread: 2,
    })
  })

  it('counts unread branches too, and says how many they are', () => {
    expect(stateOf({ unread: 2, unreadBranches: 1 })).toMatchObject({ unread: 3, unread_branches: 1 })
    expect(stateOf({ mayRead: false, unreadBranches: 1 })).toEqual({
      pull_requests: 'unavailable',
      as_of: null,
      unread: 0,
    })
  })

  it('is stale from the first failed reading on', () => {
    expect(stateOf({ failedAt: now })).toMatchObject({ pull_requests: 'stale', as_of: ago(minute) })
    expect(wordOf({ failedAt: now, byApp: true })).toBe('stale')
  })
})

describe('without the App', () => {
  it('is current for 5 minutes', () => {
    expect(wordOf({ completedAt: ago(5 * minute - 1) })).toBe('current')
    expect(wordOf({ completedAt: ago(5 * minute) })).toBe('stale')
  })

  it('is current however long files wait to be read', () => {
    expect(wordOf({ unread: 1, unreadSince: ago(60 * minute) })).toBe('current')
  })
})

describe('with the App', () => {
  it('is current for twice the reconcile interval', () => {
    expect(wordOf({ byApp: true, completedAt: ago(2 * reconcileIntervalMs - 1) })).toBe('current')
    expect(wordOf({ byApp: true, completedAt: ago(2 * reconcileIntervalMs) })).toBe('stale')
  })

  it('is stale once files have waited for over a minute', () => {
    expect(wordOf({ byApp: true, unread: 1, unreadSince: ago(minute) })).toBe('current')
    expect(wordOf({ byApp: true, unread: 1, unreadSince: ago(minute + 1) })).toBe('stale')
  })
})
