import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { afterTurns } from '../../../src/lib/after-turns.ts'

/** Blocks the event loop for so many milliseconds. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('a time that is waited in turns of the event loop', () => {
  it('is over in the end', async () => {
    await new Promise<void>((resolve) => void afterTurns(20, resolve))
  })

  it('is not over by one long turn, nor by several', async () => {
    let isOver = false
    const cancel = afterTurns(50, () => {
      isOver = true
    })
    for (let turn = 0; turn < 5; turn++) {
      block(60)
      await setImmediate()
    }
    expect(isOver).toBe(false)
    cancel()
  })

  it('never is once it is cancelled', async () => {
    let isOver = false
    const cancel = afterTurns(20, () => {
      isOver = true
    })
    await sleep(5)
    cancel()
    await sleep(60)
    expect(isOver).toBe(false)
  })
})
