import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runInSlices, workBudget } from '../../../../src/core/scope/match/work-budget.ts'

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

it('a repository with one request gets every other turn, however many requests another one has', async () => {
  let slicesOfOther = 0
  function* work(slices: number, count: () => void): Generator<void, number> {
    for (let n = 0; n < slices; n++) {
      count()
      yield
    }
    return slices
  }
  const busy = Array.from({ length: 50 }, () =>
    runInSlices(
      work(20, () => {
        slicesOfOther++
      }),
      workBudget(Number.POSITIVE_INFINITY, 1n),
    ),
  )
  await runInSlices(
    work(20, () => {}),
    workBudget(Number.POSITIVE_INFINITY, 2n),
  )
  // The first slice of each request runs at once.
  expect(slicesOfOther).toBeLessThanOrEqual(50 + 20 + 1)
  await Promise.all(busy)
})
