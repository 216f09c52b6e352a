import { isIP } from 'node:net'
import type { Request } from 'express'

/**
 * The address of the client: that of the connection, or what trusted proxies say in `X-Forwarded-For`
 * (docs/rules.md#client-addresses). Some proxies add a port.
 */
export function clientAddress({ ip = '', socket }: Request): string {
  const address = ip.replace(/^\[(.+)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(address) === 0 ? (socket.remoteAddress ?? '') : address
}
