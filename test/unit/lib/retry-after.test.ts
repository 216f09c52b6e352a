import { expect, it } from 'vitest'
import { AppError } from '../../../src/core/errors.ts'
import { secondsToRetry } from '../../../src/core/lib/retry-after.ts'

it.each([
  ['unavailable', 2, 10],
  ['github_unavailable', 10, 10],
  ['too_many_streams', 30, 60],
  ['stream_ended', 5, 60],
  ['draining', 1, 5],
] as const)('%s is over after %i to %i whole seconds, not always after the same', (reason, least, most) => {
  const all = Array.from({ length: 2_000 }, () => secondsToRetry(reason))
  expect([Math.min(...all), Math.max(...all)]).toEqual([least, most])
  expect(all.every(Number.isInteger)).toBe(true)
})

it.each(['unavailable', 'github_unavailable'] as const)('every error %s says when to try again', (code) => {
  expect(new AppError(code, 'Later.').retryAfterSeconds).toBeGreaterThan(0)
  expect(new AppError(code, 'Later.', { retryAfterSeconds: 77 }).retryAfterSeconds).toBe(77)
})

it('no error that waiting does not end says when to try again', () => {
  expect(new AppError('not_found', 'Never.').retryAfterSeconds).toBeUndefined()
})
