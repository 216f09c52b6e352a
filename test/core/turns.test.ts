import { expect, it } from 'vitest'
import { createTurns, inTurns } from '../../src/core/turns.ts'

it('§5 work that pauses lets others go first once it has taken 10 ms, and returns its result', async () => {
  function* work() {
    const until = performance.now() + 40
    while (performance.now() < until) yield
    return 'done'
  }
  const order: string[] = []
  setImmediate(() => order.push('other'))
  order.push(await inTurns(work(), createTurns()))
  expect(order).toEqual(['other', 'done'])
})
