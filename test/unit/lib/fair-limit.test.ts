import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFairLimit, type FairLimitOptions, type WaitOptions } from '../../../src/service/lib/fair-limit.ts'

afterEach(() => void vi.useRealTimers())

/** A limit, and the work in it by its key: what runs, what was refused, and how to end the oldest of a key. */
function limitOf(options: Partial<FairLimitOptions>) {
  const limit = createFairLimit({
    slots: 1,
    waiting: 1_000,
    waitMs: 60_000,
    refusal: () => new Error('no slot'),
    ...options,
  })
  const running: string[] = []
  const refused: string[] = []
  const ends: { name: string; end: () => void }[] = []
  return {
    limit,
    running,
    refused,
    /** Starts a piece of work that runs until it is ended. Its key is its name up to a digit. */
    start(name: string, waitOptions?: WaitOptions) {
      const work = () =>
        new Promise<void>((resolve) => {
          running.push(name)
          ends.push({ name, end: resolve })
        })
      limit.run(keyOf(name), work, waitOptions).catch(() => void refused.push(name))
    },
    /** Ends the named work, or the oldest. */
    async end(name?: string) {
      await setImmediate()
      const at = name === undefined ? 0 : ends.findIndex((entry) => entry.name === name)
      const [ended] = ends.splice(at, 1)
      running.splice(running.indexOf(ended?.name ?? ''), 1)
      ended?.end()
      await setImmediate()
    },
  }
}

describe('a fair limit', () => {
  it('runs up to its slots concurrently, and the rest in the order of arrival', async () => {
    const { start, end, running } = limitOf({ slots: 2 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) start(name)
    await setImmediate()
    expect(running).toEqual(['a1', 'a2'])
    await end('a2')
    expect(running).toEqual(['a1', 'a3'])
    await end('a1')
    start('a5')
    await setImmediate()
    expect(running).toEqual(['a3', 'a4'])
    await end()
    expect(running).toEqual(['a4', 'a5'])
  })

  it('releases a slot when the work fails', async () => {
    const { limit } = limitOf({})
    await expect(limit.run('a', () => Promise.reject(new Error('work')))).rejects.toThrow('work')
    expect(await limit.run('a', async () => 'next')).toBe('next')
  })

  it('releases a slot once, however often the release is called', async () => {
    const { limit } = limitOf({ slots: 2 })
    const release = await limit.acquire('a')
    await limit.acquire('a')
    release()
    release()
    expect(limit.taken()).toBe(1)
  })

  it('refuses one that waits after its own time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { start, refused, end, running } = limitOf({ waitMs: 500 })
    for (const name of ['a1', 'a2']) start(name)
    start('a3', { waitMs: 5_000 })
    await setImmediate()
    vi.advanceTimersByTime(499)
    await setImmediate()
    expect(refused).toEqual([])
    vi.advanceTimersByTime(1)
    await setImmediate()
    expect(refused).toEqual(['a2'])
    await end('a1')
    expect(running).toEqual(['a3'])
  })

  it('lets one wait longer while another key holds half of the slots', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { start, end, running, refused } = limitOf({ slots: 2, waitMs: 500, waitBehindOtherMs: 5_000 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) start(name)
    await setImmediate()
    vi.advanceTimersByTime(500)
    await setImmediate()
    expect(refused).toEqual(['a3'])
    await end('a1')
    expect(running).toEqual(['a2', 'b1'])
    vi.advanceTimersByTime(4_500)
    await setImmediate()
    expect(refused).toEqual(['a3', 'b2'])
  })

  it('serves the nearest deadline first', async () => {
    const { start, end, running } = limitOf({ waitMs: 20_000 })
    start('a1')
    start('a2', { waitMs: 60_000 })
    start('a3')
    start('a4')
    await end('a1')
    expect(running).toEqual(['a3'])
    await end('a3')
    expect(running).toEqual(['a4'])
    await end('a4')
    expect(running).toEqual(['a2'])
  })

  it('removes from the queue one whose caller disconnects', async () => {
    const { limit, start, end, running, refused } = limitOf({ waiting: 1 })
    const leaving = new AbortController()
    start('a1')
    start('a2', { signal: leaving.signal })
    leaving.abort()
    await setImmediate()
    expect(limit.waiting()).toBe(0)
    start('a3')
    await end('a1')
    expect([running, refused]).toEqual([['a3'], ['a2']])
    await expect(limit.acquire('a', { signal: leaving.signal })).rejects.toThrow('aborted')
  })
})

describe('one key', () => {
  it('may use all slots while no other key waits', async () => {
    const { start, end, running } = limitOf({ slots: 4 })
    for (let n = 1; n <= 9; n++) start(`a${n}`)
    await setImmediate()
    expect(running).toEqual(['a1', 'a2', 'a3', 'a4'])
    await end()
    expect(running).toEqual(['a2', 'a3', 'a4', 'a5'])
  })

  it('gets no new slot while others wait, once it holds half of them', async () => {
    const { start, end, running } = limitOf({ slots: 4 })
    for (let n = 1; n <= 12; n++) start(`a${n}`)
    await setImmediate()
    for (const name of ['b1', 'b2', 'b3']) start(name)
    await end()
    await end()
    expect(running).toEqual(['a3', 'a4', 'b1', 'b2'])
    // Both hold half: the slot that a key gives back is its own.
    await end('a3')
    expect(running).toEqual(['a4', 'b1', 'b2', 'a5'])
    await end('b1')
    expect(running).toEqual(['a4', 'b2', 'a5', 'b3'])
    // Now no other key waits.
    await end('b2')
    await end('b3')
    expect(running).toEqual(['a4', 'a5', 'a6', 'a7'])
  })

  it.each([1, 2, 3])('gets at least one of %i slots while others wait', async (slots) => {
    const { start, end, running } = limitOf({ slots })
    for (let n = 1; n <= 3; n++) for (const key of ['a', 'b']) start(`${key}${n}`)
    const seen = new Set<string>()
    for (let n = 0; n < 6; n++) {
      await setImmediate()
      for (const name of running) seen.add(name)
      await end()
    }
    expect([...seen].sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
  })

  it('with the most in the queue loses its last one if too many wait', async () => {
    const { start, end, running, refused } = limitOf({ waiting: 3 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) start(name)
    await setImmediate()
    expect(refused).toEqual(['a5'])
    start('b1')
    await setImmediate()
    expect(refused).toEqual(['a5', 'a4'])
    start('b2')
    await setImmediate()
    expect(refused).toEqual(['a5', 'a4', 'b2'])
    for (const served of ['a2', 'a3', 'b1']) {
      await end()
      expect(running).toEqual([served])
    }
  })
})

describe('a reserved slot', () => {
  const reserved = { key: 'jobs', slots: 1 }

  it('stays free for its key', async () => {
    const { start, end, running } = limitOf({ slots: 3, reserved })
    for (let n = 1; n <= 4; n++) start(`a${n}`)
    await setImmediate()
    expect(running).toEqual(['a1', 'a2'])
    start('jobs1')
    await setImmediate()
    expect(running).toEqual(['a1', 'a2', 'jobs1'])
    await end('jobs1')
    expect(running).toEqual(['a1', 'a2'])
    await end('a1')
    expect(running).toEqual(['a2', 'a3'])
  })

  it('does not limit its key to it', async () => {
    const { start, end, running } = limitOf({ slots: 4, reserved })
    for (let n = 1; n <= 6; n++) start(`jobs${n}`)
    await setImmediate()
    expect(running).toEqual(['jobs1', 'jobs2', 'jobs3', 'jobs4'])
    start('a1')
    start('a2')
    await end()
    await end()
    expect(running).toEqual(['jobs3', 'jobs4', 'a1', 'a2'])
  })
})

it('for any order of events, no slot is idle while one in the queue may take it, no key exceeds half while others wait, and all are served', async () => {
  const step = fc.oneof(fc.record({ start: fc.constantFrom('a', 'b', 'c', 'jobs') }), fc.record({ endAt: fc.nat(20) }))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 60 }), async (slots, steps) => {
      const { limit, start, end, running, refused } = limitOf({ slots, reserved: { key: 'jobs', slots: 1 } })
      let waiting: string[] = []
      let started = 0
      for (const taken of steps) {
        if ('start' in taken) {
          const name = `${taken.start}${++started}`
          waiting.push(name)
          start(name)
          await setImmediate()
        } else if (running.length > 0) {
          await end(running[taken.endAt % running.length])
          const [next] = waiting.filter((name) => running.includes(name))
          const othersWait = waiting.some((name) => keyOf(name) !== keyOf(next ?? name))
          const count = running.filter((name) => keyOf(name) === keyOf(next ?? '')).length
          if (othersWait && count > 1) expect((count - 1) * 2).toBeLessThan(slots)
        }
        waiting = waiting.filter((name) => !running.includes(name))
        expect(limit.taken()).toBe(running.length)
        expect(limit.waiting()).toBe(waiting.length)
        const free = slots - running.length
        const isForJobs = free === 1 && !running.some((name) => keyOf(name) === 'jobs')
        if (waiting.some((name) => keyOf(name) === 'jobs' || !isForJobs)) expect(free).toBe(0)
      }
      for (let left = started; left > 0 && running.length > 0; left--) await end()
      expect([running, limit.waiting(), limit.taken(), refused]).toEqual([[], 0, 0, []])
    }),
    { numRuns: 200 },
  )
})

function keyOf(name: string): string {
  return name.replace(/\d+$/, '')
}
