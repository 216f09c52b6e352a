import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runInSlices, workBudget } from '../../../../src/scope/match/work-budget.ts'

it('at most one slice runs in each turn of the event loop, and each request gets its turns', async () => {
  let slices = 0
  let turns = 0
  let isDone = false
  function* work(): Generator<void, number> {
    for (let n = 0; n < 10; n++) {
      slices++
      yield
    }
    return 10
  }
  const requests = Array.from({ length: 20 }, () => runInSlices(work(), workBudget()))
  const all = Promise.all(requests).then((results) => {
    isDone = true
    return results
  })
  while (!isDone) {
    const before = slices
    await setImmediate()
    turns++
    expect(slices - before).toBeLessThanOrEqual(1)
  }
  expect(await all).toEqual(Array(20).fill(10))
  expect(slices).toBe(200)
  expect(turns).toBeGreaterThanOrEqual(180)
})

it('a request that reaches its limit of steps is undecided', async () => {
  const budget = workBudget(2)
  function* work(): Generator<void, string> {
    for (;;) {
      budget.steps++
      yield
    }
  }
  expect(await runInSlices(work(), budget)).toBe('undecided')
  expect(budget.steps).toBe(2)
})
