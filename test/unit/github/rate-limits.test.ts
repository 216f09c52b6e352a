import { describe, expect, it } from 'vitest'
import type { GithubResponse } from '../../../src/service/github/github-response.ts'
import { createRateLimits, isNearlySpent } from '../../../src/service/github/rate-limits.ts'

const start = Date.UTC(2026, 10, 20, 9, 30)
const minute = 60_000
const inSeconds = (seconds: number) => String(start / 1_000 + seconds)

function answer(headers: Record<string, string> = {}, status = 200): GithubResponse {
  return { kind: 'response', status, headers, body: {} }
}

const left = (remaining: number, resetsIn = 60, limit = 5_000) =>
  answer({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': inSeconds(resetsIn),
  })

const spent = (seconds: number) => answer({ 'retry-after': String(seconds) }, 403)

function setUp(entries = 10) {
  const clock = { now: start }
  return { clock, limits: createRateLimits({ entries, now: () => clock.now }) }
}

describe('a spent rate limit', () => {
  it('holds as long as GitHub says, whatever other responses come meanwhile, for its key alone', () => {
    const { clock, limits } = setUp()
    limits.note('t', spent(30))
    limits.note('t', left(17))
    limits.note('t', { kind: 'failure', reason: 'no answer' })
    clock.now += 29_999
    expect([limits.pausedUntil('t'), limits.pausedUntil('other')]).toEqual([start + 30_000, null])
    clock.now += 1
    expect(limits.pausedUntil('t')).toBeNull()
  })

  it('lasts until the later of two times', () => {
    const { limits } = setUp()
    limits.note('t', spent(900))
    limits.note('t', spent(60))
    expect(limits.pausedUntil('t')).toBe(start + 900_000)
  })

  it('does not last longer when the clock is set back', () => {
    const { clock, limits } = setUp()
    limits.note('t', spent(60))
    clock.now -= 60 * minute
    expect(limits.pausedUntil('t')).toBeNull()
    limits.note('t', spent(30))
    expect(limits.pausedUntil('t')).toBe(clock.now + 30_000)
  })

  it('is forgotten of the key that was used least recently, if there are too many', () => {
    const { limits } = setUp(2)
    for (const key of ['a', 'b', 'c']) limits.note(key, spent(60))
    expect(['a', 'b', 'c'].map((key) => limits.pausedUntil(key) !== null)).toEqual([false, true, true])
  })
})

describe('the reserve of a rate limit', () => {
  it.each([
    [1_001, false],
    [1_000, true],
    [0, true],
  ])('of a fifth is reached with %i of 5,000 left: %s', (remaining, isReached) => {
    const { clock, limits } = setUp()
    limits.note('t', left(remaining))
    expect([limits.pausedUntil('t', 0.2), limits.pausedUntil('t')]).toEqual([isReached ? start + minute : null, null])
    expect(isNearlySpent(left(remaining), 0.2)).toBe(isReached)
    clock.now += minute
    expect(limits.pausedUntil('t', 0.2)).toBeNull()
  })

  it.each([
    ['that is missing', {}],
    ['in the past', { 'x-ratelimit-reset': inSeconds(-1) }],
    ['in milliseconds', { 'x-ratelimit-reset': String(start + minute) }],
  ])('lasts a minute with a reset %s', (_name, headers) => {
    const { limits } = setUp()
    limits.note('t', answer({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '5', ...headers }))
    expect(limits.pausedUntil('t', 0.2)).toBe(start + minute)
  })

  it('is not known where GitHub does not say how large the limit is', () => {
    const { limits } = setUp()
    limits.note('t', answer({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(60) }))
    expect(limits.pausedUntil('t', 0.2)).toBeNull()
  })
})

describe('what is left of a rate limit', () => {
  it('is what GitHub said last, until it resets', () => {
    const { clock, limits } = setUp()
    expect(limits.remaining('t')).toBeNull()
    limits.note('t', left(17))
    expect([limits.remaining('t'), limits.remaining('other')]).toEqual([17, null])
    clock.now += minute
    expect(limits.remaining('t')).toBeNull()
  })

  it('is the least that GitHub said before the reset: concurrent responses arrive in any order', () => {
    const { limits } = setUp()
    const seen = [left(17), left(18), left(16), left(4_999, 3_660)].map((response) => {
      limits.note('t', response)
      return limits.remaining('t')
    })
    expect(seen).toEqual([17, 17, 16, 4_999])
  })

  it.each<Record<string, string>>([
    {},
    { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': inSeconds(60) },
    { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': inSeconds(60) },
    { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': inSeconds(60), 'x-ratelimit-resource': 'search' },
  ])('is not known with the headers %j', (headers) => {
    const { limits } = setUp()
    limits.note('t', answer(headers))
    expect(limits.remaining('t')).toBeNull()
  })
})
