import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientNetwork, createRejectedTokenLimiter } from '../../../../src/github/access/rejected-token-limiter.ts'

function limiterOf(perMinute: number, addresses = 100) {
  const clock = { now: 1_000_000 }
  return { clock, limiter: createRejectedTokenLimiter({ perMinute, addresses, now: () => clock.now }) }
}

describe('rejected tokens of an address', () => {
  it('limit the address from the given number on', () => {
    const { limiter } = limiterOf(3)
    limiter.count('192.0.2.1', 'a')
    limiter.count('192.0.2.1', 'b')
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBeNull()
    limiter.count('192.0.2.1', 'c')
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBe(60)
    expect(limiter.retryAfterSeconds('192.0.2.2')).toBeNull()
  })

  it('count once, however often the same token is rejected', () => {
    const { limiter } = limiterOf(3)
    for (const token of ['a', 'a', 'b', 'a', 'b']) limiter.count('192.0.2.1', token)
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('count for a minute each', () => {
    const { clock, limiter } = limiterOf(2)
    limiter.count('192.0.2.1', 'a')
    clock.now += 20_000
    limiter.count('192.0.2.1', 'b')
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBe(40)
    clock.now += 39_999
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBe(1)
    clock.now += 1
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('count from the last rejection of the token', () => {
    const { clock, limiter } = limiterOf(2)
    for (const token of ['a', 'b', 'a']) {
      limiter.count('192.0.2.1', token)
      clock.now += 10_000
    }
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBe(40)
  })

  it('limit nobody for longer when the clock is set back', () => {
    const { clock, limiter } = limiterOf(1)
    limiter.count('192.0.2.1', 'a')
    clock.now -= 3_600_000
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('say when fewer than the given number are left, if more requests were pending', () => {
    const { clock, limiter } = limiterOf(2)
    for (const token of ['a', 'b', 'c', 'd']) {
      limiter.count('192.0.2.1', token)
      clock.now += 1_000
    }
    // At 58 s "b" is a minute old, but "c" and "d" are still two.
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBe(58)
    clock.now += 57_999
    expect(limiter.retryAfterSeconds('192.0.2.1')).not.toBeNull()
    clock.now += 1
    expect(limiter.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('are dropped for the least recently used address, if there are too many', () => {
    const { limiter } = limiterOf(1, 2)
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) limiter.count(address, 'a')
    const known = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => limiter.retryAfterSeconds(address) !== null)
    expect(known).toEqual([false, true, true])
  })

  it('count for the same IPv4 address when it is mapped into IPv6', () => {
    const { limiter } = limiterOf(1)
    limiter.count('::ffff:192.0.2.1', 'a')
    expect(limiter.retryAfterSeconds('192.0.2.1')).not.toBeNull()
  })

  it('count for the whole /64 network of an IPv6 address', () => {
    const { limiter } = limiterOf(1)
    limiter.count('2001:db8:1:2::1', 'a')
    expect(limiter.retryAfterSeconds('2001:db8:1:2:ffff::9')).not.toBeNull()
    expect(limiter.retryAfterSeconds('2001:db8:1:3::1')).toBeNull()
  })
})

describe('the network of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, client) => {
    expect(clientNetwork(address)).toBe(client)
  })

  it('is the same for every spelling of an address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(clientNetwork(new URL(`http://[${address}]`).hostname.slice(1, -1))).toBe(clientNetwork(address))
      }),
    )
  })
})
