import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createConcurrencyLimit } from '../../../src/lib/concurrency-limit.ts'

function gateOf(options: { atOnce: number; waiting?: number; waitMs?: number }) {
  return createConcurrencyLimit({ waiting: 100, waitMs: 60_000, tooLong: () => new Error('too long'), ...options })
}

describe('the gate', () => {
  it('lets so many run at once, and the others in their order', async () => {
    const gate = gateOf({ atOnce: 2 })
    const started: number[] = []
    const finish: (() => void)[] = []
    const all = [0, 1, 2, 3].map((number) =>
      gate.run(() => {
        started.push(number)
        return new Promise<void>((resolve) => finish.push(resolve))
      }),
    )
    await setImmediate()
    expect(started).toEqual([0, 1])
    finish[1]?.()
    await setImmediate()
    expect(started).toEqual([0, 1, 2])
    finish[0]?.()
    await setImmediate()
    expect(started).toEqual([0, 1, 2, 3])
    const newcomer = gate.run(async () => void started.push(4))
    await setImmediate()
    expect(started).toEqual([0, 1, 2, 3])
    finish[2]?.()
    finish[3]?.()
    await Promise.all([...all, newcomer])
    expect(started).toEqual([0, 1, 2, 3, 4])
  })

  it('gives a place back when the work fails', async () => {
    const gate = gateOf({ atOnce: 1 })
    await expect(gate.run(() => Promise.reject(new Error('work')))).rejects.toThrow('work')
    expect(await gate.run(async () => 'next')).toBe('next')
  })

  it('sends away whoever has waited too long, and keeps the place of the others', async () => {
    const gate = gateOf({ atOnce: 1, waitMs: 20 })
    let finish = () => {}
    const first = gate.run(() => new Promise<void>((resolve) => (finish = resolve)))
    let ran = false
    const second = gate.run(async () => {
      ran = true
    })
    await expect(second).rejects.toThrow('too long')
    finish()
    await first
    expect(await gate.run(async () => 'third')).toBe('third')
    expect(ran).toBe(false)
  })

  it('lets no more wait than there is room for', async () => {
    const gate = gateOf({ atOnce: 1, waiting: 1 })
    let finish = () => {}
    const first = gate.run(() => new Promise<void>((resolve) => (finish = resolve)))
    const second = gate.run(async () => 'second')
    await expect(gate.run(async () => 'third')).rejects.toThrow('too long')
    finish()
    await first
    expect(await second).toBe('second')
  })
})
