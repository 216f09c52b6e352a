import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientNetwork, createRejectedTokenLimiter } from '../../../../src/github/access/rejected-token-limiter.ts'

function refusalsOf(perMinute: number, addresses = 100) {
  const clock = { now: 1_000_000 }
  return { clock, refusals: createRejectedTokenLimiter({ perMinute, addresses, now: () => clock.now }) }
}

describe('refused tokens of an address', () => {
  it('are no trouble until there are so many', () => {
    const { refusals } = refusalsOf(3)
    refusals.count('192.0.2.1', 'a')
    refusals.count('192.0.2.1', 'b')
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBeNull()
    refusals.count('192.0.2.1', 'c')
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBe(60)
    expect(refusals.retryAfterSeconds('192.0.2.2')).toBeNull()
  })

  it('count once, however often the same token is refused', () => {
    const { refusals } = refusalsOf(3)
    for (const token of ['a', 'a', 'b', 'a', 'b']) refusals.count('192.0.2.1', token)
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('are forgiven after a minute each', () => {
    const { clock, refusals } = refusalsOf(2)
    refusals.count('192.0.2.1', 'a')
    clock.now += 20_000
    refusals.count('192.0.2.1', 'b')
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBe(40)
    clock.now += 39_999
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBe(1)
    clock.now += 1
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('count from the last time that the token was refused', () => {
    const { clock, refusals } = refusalsOf(2)
    for (const token of ['a', 'b', 'a']) {
      refusals.count('192.0.2.1', token)
      clock.now += 10_000
    }
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBe(40)
  })

  it('keep nobody out for longer because the clock was set back', () => {
    const { clock, refusals } = refusalsOf(1)
    refusals.count('192.0.2.1', 'a')
    clock.now -= 3_600_000
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('say when fewer than so many are left, where more were under way', () => {
    const { clock, refusals } = refusalsOf(2)
    for (const token of ['a', 'b', 'c', 'd']) {
      refusals.count('192.0.2.1', token)
      clock.now += 1_000
    }
    // At 58 s "b" is a minute old, but "c" and "d" are still two.
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBe(58)
    clock.now += 57_999
    expect(refusals.retryAfterSeconds('192.0.2.1')).not.toBeNull()
    clock.now += 1
    expect(refusals.retryAfterSeconds('192.0.2.1')).toBeNull()
  })

  it('are forgotten for the address that was quiet the longest, where there are too many', () => {
    const { refusals } = refusalsOf(1, 2)
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) refusals.count(address, 'a')
    const known = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => refusals.retryAfterSeconds(address) !== null)
    expect(known).toEqual([false, true, true])
  })

  it('of IPv4 are the same when they come through an IPv6 socket', () => {
    const { refusals } = refusalsOf(1)
    refusals.count('::ffff:192.0.2.1', 'a')
    expect(refusals.retryAfterSeconds('192.0.2.1')).not.toBeNull()
  })

  it('of IPv6 are those of the whole network that a user commands', () => {
    const { refusals } = refusalsOf(1)
    refusals.count('2001:db8:1:2::1', 'a')
    expect(refusals.retryAfterSeconds('2001:db8:1:2:ffff::9')).not.toBeNull()
    expect(refusals.retryAfterSeconds('2001:db8:1:3::1')).toBeNull()
  })
})

describe('who a client is', () => {
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

  it('is the same however an address is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(clientNetwork(new URL(`http://[${address}]`).hostname.slice(1, -1))).toBe(clientNetwork(address))
      }),
    )
  })
})
