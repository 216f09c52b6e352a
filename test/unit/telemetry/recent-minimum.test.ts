import { expect, it } from 'vitest'
import { createRecentMinimum } from '../../../src/service/telemetry/recent-minimum.ts'

it('the lowest value counts for one to two windows, whatever values follow', () => {
  let at = 0
  const { add, lowest } = createRecentMinimum(100, () => at)
  expect(lowest()).toBeNull()
  for (const value of [7, 3, 5]) add(value)
  expect(lowest()).toBe(3)
  at = 199
  add(9)
  expect(lowest()).toBe(3)
  at = 200
  expect(lowest()).toBe(9)
  at = 299
  expect(lowest()).toBe(9)
  at = 300
  expect(lowest()).toBeNull()
})

it('an old value does not count, even if nothing was read or added since', () => {
  let at = 0
  const { add, lowest } = createRecentMinimum(100, () => at)
  add(1)
  at = 1_000
  expect(lowest()).toBeNull()
})
