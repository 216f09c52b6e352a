import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientNetwork } from '../../../../src/service/github/access/client-network.ts'

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
