import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What counts as one client: an IPv4 address, also when mapped into IPv6, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  const withoutZone = address.replace(/%.*$/, '')
  if (!isIPv6(withoutZone)) return address
  // ipaddr.js does not parse every IPv6 address that ends in dotted decimals. A URL writes all of them in hexadecimal.
  const parsed = ipaddr.process(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1))
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
