import { afterEach, expect, it, vi } from 'vitest'
import { atMostTwo } from '../../src/service/overlap/turnstile.ts'

afterEach(() => vi.useRealTimers())

/** Work that goes on until it is ended, and says what it does. */
function works(log: string[]) {
  const ends: (() => void)[] = []
  return {
    start: (name: string, tokenKey = 'one') =>
      atMostTwo(tokenKey, async () => {
        log.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      }),
    end: () => ends.shift()?.(),
    endAll: () => {
      for (const end of ends) end()
    },
  }
}

it('§5 two of one token are compared at once, others wait for their turn, and another token waits for none', async () => {
  const log: string[] = []
  const { start, end } = works(log)
  const all = [start('a'), start('b'), start('c'), start('d'), start('x', 'two')]
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'x']))
  end()
  await all[0]
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'x', 'c']))
  for (let left = 4; left > 0; left--) {
    end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(all)
  expect(log.at(-1)).toBe('d')
})

it('§5 who waits for 10 s gets 503, and what fails makes room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const log: string[] = []
  const { start, endAll } = works(log)
  const under = [start('a'), start('b')]
  const late = start('c').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await late).toMatchObject({ code: 'unavailable' })
  endAll()
  await Promise.all(under)
  await expect(atMostTwo('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await atMostTwo('one', async () => 'next')).toBe('next')
})
