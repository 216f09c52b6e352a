import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'

const windowMs = 60_000

export interface RejectedTokenLimiter {
  /** GitHub refused this token, which came from this address. The same token counts once a minute. */
  count(address: string, tokenKey: string): void
  /** Null, or after how many seconds a token of this address that GitHub does not know yet may be tried again. */
  retryAfterSeconds(address: string): number | null
}

/**
 * Counts the tokens of a client address that GitHub refused within the last minute (docs/rules.md#rejected-tokens).
 * From `perMinute` on, unknown tokens of that address are not tried. Remembers at most `addresses`.
 */
export function createRejectedTokenLimiter(options: {
  perMinute: number
  addresses: number
  now: () => number
}): RejectedTokenLimiter {
  // By address, then by token, when it was last refused; in the order of the refusals.
  const refused = new LRUCache<string, Map<string, number>>({ max: options.addresses })

  function recent(address: string): Map<string, number> | undefined {
    const tokens = refused.get(address)
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
      refused.set(client, tokens)
    },
    retryAfterSeconds(address) {
      const times = [...(recent(clientNetwork(address))?.values() ?? [])]
      // Once this one is a minute old, fewer than `perMinute` are left.
      const leaving = times[times.length - options.perMinute]
      return leaving === undefined ? null : Math.max(1, Math.ceil((leaving + windowMs - options.now()) / 1000))
    },
  }
}

/** One client: an IPv4 address, also where it comes as `::ffff:192.0.2.1`, or the /64 network that an IPv6 user commands. */
export function clientNetwork(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  if (!isIPv6(bare)) return address
  const groups = ipv6Groups(bare)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function ipv6Groups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, head = '', a, b, c, d] = dotted ?? []
  const pair = (x?: string, y?: string): string => (Number(x) * 256 + Number(y)).toString(16)
  const plain = dotted ? `${head}${pair(a, b)}:${pair(c, d)}` : address
  const [left = '', right] = plain.split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const before = parse(left)
  const after = right === undefined ? [] : parse(right)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
