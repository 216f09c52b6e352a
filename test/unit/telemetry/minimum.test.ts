import { expect, it } from 'vitest'
import { createMinimum } from '../../../src/telemetry/minimum.ts'

it('the lowest of late is kept for one to two spans, whatever comes after it', () => {
  let at = 0
  const { see, lowest } = createMinimum(100, () => at)
  expect(lowest()).toBeNull()
  for (const value of [7, 3, 5]) see(value)
  expect(lowest()).toBe(3)
  at = 199
  see(9)
  expect(lowest()).toBe(3)
  at = 200
  expect(lowest()).toBe(9)
  at = 299
  expect(lowest()).toBe(9)
  at = 300
  expect(lowest()).toBeNull()
})

it('what came long ago is not of late, even where nobody asked meanwhile', () => {
  let at = 0
  const { see, lowest } = createMinimum(100, () => at)
  see(1)
  at = 1_000
  expect(lowest()).toBeNull()
})
