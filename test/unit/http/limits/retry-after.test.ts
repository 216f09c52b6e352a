import { expect, it } from 'vitest'
import { createRetryAfter } from '../../../../src/http/limits/retry-after.ts'

/** Four come for each that can be served, for so many seconds. */
function overloaded(seconds: number) {
  const clock = { now: 5_000 }
  const pace = createRetryAfter(() => clock.now)
  for (let second = 0; second < seconds; second++) {
    for (let n = 0; n < 100; n++) pace.served()
    for (let n = 0; n < 300; n++) pace.refused()
    clock.now += 1_000
  }
  return { clock, pace }
}

it('asks to stay away until those who were refused can all be served', () => {
  expect(overloaded(1).pace.secondsUntilServed()).toBe(4)
  expect(overloaded(9).pace.secondsUntilServed()).toBe(4)
})

it('forgets a burst after two seconds', () => {
  const { clock, pace } = overloaded(3)
  clock.now += 1_000
  expect(pace.secondsUntilServed()).toBe(1)
})

it('asks nobody to stay away for more than half a minute', () => {
  const pace = createRetryAfter(() => 0)
  for (let n = 0; n < 1_000; n++) pace.refused()
  expect(pace.secondsUntilServed()).toBe(30)
})
