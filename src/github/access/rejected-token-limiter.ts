import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'

const windowMs = 60_000

export interface RejectedTokenLimiter {
  /** Counts a token from this address that GitHub rejected. The same token counts once a minute. */
  count(address: string, tokenKey: string): void
  /** After how many seconds unknown tokens from this address need no turn any more; null if they need none. */
  retryAfterSeconds(address: string): number | null
}

/**
 * Counts the tokens of a client address that GitHub rejected within the last minute (docs/rules.md#rejected-tokens).
 * From `perMinute` on, unknown tokens from that address wait for turns. Tracks at most `addresses` addresses.
 */
export function createRejectedTokenLimiter(options: {
  perMinute: number
  addresses: number
  now: () => number
}): RejectedTokenLimiter {
  /** When each token of an address was last rejected, the oldest first. */
  const rejections = new LRUCache<string, Map<string, number>>({ max: options.addresses })

  function recent(address: string): Map<string, number> | undefined {
    const tokens = rejections.get(address)
    const now = options.now()
    for (const [token, at] of tokens ?? []) {
      if (!isWithin(at, windowMs, now)) tokens?.delete(token)
    }
    return tokens
  }

  return {
    count(address, tokenKey) {
      const client = clientNetwork(address)
      const tokens = recent(client) ?? new Map<string, number>()
      tokens.delete(tokenKey)
      tokens.set(tokenKey, options.now())
      rejections.set(client, tokens)
    },
    retryAfterSeconds(address) {
      const times = [...(recent(clientNetwork(address))?.values() ?? [])]
      // Once this one is a minute old, fewer than `perMinute` are left.
      const expiring = times[times.length - options.perMinute]
      return expiring === undefined ? null : Math.max(1, Math.ceil((expiring + windowMs - options.now()) / 1000))
    },
  }
}

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
