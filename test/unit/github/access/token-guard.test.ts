import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { createTokenGuard } from '../../../../src/service/github/access/token-guard.ts'
import { createTokenStates } from '../../../../src/service/github/access/token-states.ts'
import { createRateLimits } from '../../../../src/service/github/rate-limits.ts'

function guardOf(rejectedPerMinute: number, networks = 100) {
  const clock = { now: 1_000_000 }
  const now = () => clock.now
  const tokens = createTokenStates({ tokens: 100, now })
  const rateLimits = createRateLimits({ entries: 100, now })
  const slot = { everyMs: 60_000, waiting: 0, waitMs: 1 }
  const guard = createTokenGuard({ tokens, rateLimits, rejectedPerMinute, networks, slot, onRejected() {}, now })

  /** After how many seconds unknown tokens of the address need no slot any more, as the refusal says; null if they need none. */
  async function secondsOf(address: string): Promise<number | null> {
    if (!guard.needsSlot('unknown', [address])) return null
    // The only slot, unless an earlier one has not ended.
    await guard.takeSlot('unknown', [address]).catch(() => null)
    try {
      guard.check('unknown', [address])
    } catch (error) {
      if (error instanceof AppError) return error.retryAfterSeconds ?? null
    }
    throw new Error('expected a refusal')
  }
  return { clock, guard, secondsOf }
}

describe('rejected tokens of an address', () => {
  it('limit the address from the given number on', async () => {
    const { guard, secondsOf } = guardOf(3)
    guard.reject('a', ['192.0.2.1'])
    guard.reject('b', ['192.0.2.1'])
    expect(await secondsOf('192.0.2.1')).toBeNull()
    guard.reject('c', ['192.0.2.1'])
    expect(await secondsOf('192.0.2.1')).toBe(60)
    expect(await secondsOf('192.0.2.2')).toBeNull()
  })

  it('count once, however often the same token is rejected', async () => {
    const { guard, secondsOf } = guardOf(3)
    for (const token of ['a', 'a', 'b', 'a', 'b']) guard.reject(token, ['192.0.2.1'])
    expect(await secondsOf('192.0.2.1')).toBeNull()
  })

  it('count for a minute each', async () => {
    const { clock, guard, secondsOf } = guardOf(2)
    guard.reject('a', ['192.0.2.1'])
    clock.now += 20_000
    guard.reject('b', ['192.0.2.1'])
    expect(await secondsOf('192.0.2.1')).toBe(40)
    clock.now += 39_999
    expect(await secondsOf('192.0.2.1')).toBe(1)
    clock.now += 1
    expect(await secondsOf('192.0.2.1')).toBeNull()
  })

  it('count from the last rejection of the token', async () => {
    const { clock, guard, secondsOf } = guardOf(2)
    for (const token of ['a', 'b', 'a']) {
      guard.reject(token, ['192.0.2.1'])
      clock.now += 10_000
    }
    expect(await secondsOf('192.0.2.1')).toBe(40)
  })

  it('limit nobody for longer when the clock is set back', async () => {
    const { clock, guard, secondsOf } = guardOf(1)
    guard.reject('a', ['192.0.2.1'])
    clock.now -= 3_600_000
    expect(await secondsOf('192.0.2.1')).toBeNull()
  })

  it('say when fewer than the given number are left, if more requests were pending', async () => {
    const { clock, guard, secondsOf } = guardOf(2)
    for (const token of ['a', 'b', 'c', 'd']) {
      guard.reject(token, ['192.0.2.1'])
      clock.now += 1_000
    }
    // At 58 s "b" is a minute old, but "c" and "d" are still two.
    expect(await secondsOf('192.0.2.1')).toBe(58)
    clock.now += 57_999
    expect(await secondsOf('192.0.2.1')).not.toBeNull()
    clock.now += 1
    expect(await secondsOf('192.0.2.1')).toBeNull()
  })

  it('are dropped for the least recently used address, if there are too many', async () => {
    const { guard, secondsOf } = guardOf(1, 2)
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) guard.reject('a', [address])
    const known = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(async (address) => (await secondsOf(address)) !== null)
    expect(await Promise.all(known)).toEqual([false, true, true])
  })

  it('count for the same IPv4 address when it is mapped into IPv6', async () => {
    const { guard, secondsOf } = guardOf(1)
    guard.reject('a', ['::ffff:192.0.2.1'])
    expect(await secondsOf('192.0.2.1')).not.toBeNull()
  })

  it('count for the whole /64 network of an IPv6 address', async () => {
    const { guard, secondsOf } = guardOf(1)
    guard.reject('a', ['2001:db8:1:2::1'])
    expect(await secondsOf('2001:db8:1:2:ffff::9')).not.toBeNull()
    expect(await secondsOf('2001:db8:1:3::1')).toBeNull()
  })
})
