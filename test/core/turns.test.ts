import { expect, it } from 'vitest'
import { createTurns, inTurns } from '../../src/core/turns.ts'

it('§5 work that pauses lets others go first once it has taken 10 ms, and returns its result', async () => {
  const order: string[] = []
  function* work() {
    // On a busy machine a single step may take longer than 10 ms.
    const until = performance.now() + 2_000
    while (order.length === 0 && performance.now() < until) yield
    return 'done'
  }
  setImmediate(() => order.push('other'))
  order.push(await inTurns(work(), createTurns()))
  expect(order).toEqual(['other', 'done'])
})
