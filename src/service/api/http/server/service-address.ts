import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'

/** How clients reach the service. */
export interface ServiceAddress {
  /** `HEADSUP_PUBLIC_URL`, without a trailing slash. */
  publicUrl: string | undefined
  /** `HEADSUP_ALLOWED_HOSTS` */
  allowedHosts: readonly string[]
  /** Where the service listens. */
  listensOn(): AddressInfo
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback'
}

/** Whether only programs of this machine reach the service without a proxy. */
export function listensOnLoopback({ listensOn }: ServiceAddress): boolean {
  return isLoopback(listensOn().address)
}

/** The address for clients, without a trailing slash. It never depends on a request (docs/rules.md#own-address). */
export function ownUrl({ publicUrl, listensOn }: ServiceAddress): string {
  if (publicUrl !== undefined) return publicUrl
  const { address, port } = listensOn()
  const host = isLoopback(address) ? address : '127.0.0.1'
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The beginning of the links of lists. Clients that resolve links against a base of their own need whole addresses. It
 * is empty, and links are relative, if other machines reach the service under a name that it does not know.
 */
export function linkRoot(address: ServiceAddress): string {
  return address.publicUrl === undefined && !listensOnLoopback(address) ? '' : ownUrl(address)
}
