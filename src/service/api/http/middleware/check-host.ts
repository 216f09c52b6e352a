import { isIP } from 'node:net'
import type { RequestHandler } from 'express'
import { AppError } from '../../../../core/errors.ts'
import { listensOnLoopback, type ServiceAddress } from '../server/service-address.ts'

/** The longest name in the DNS, with a port. */
const maxShown = 260

/** The name in a `Host` header, as browsers write it: lower case, without port, brackets and trailing dot. */
function nameOf(host: string): string | undefined {
  const url = `http://${host}`
  if (!URL.canParse(url)) return undefined
  return new URL(url).hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '')
}

/**
 * Whether `Host` is an address that the service knows. Any IP address is: only a name can be pointed at another machine
 * (DNS rebinding).
 */
function isKnownHost(
  host: string | undefined,
  { publicUrl, allowedHosts }: Pick<ServiceAddress, 'publicUrl' | 'allowedHosts'>,
): boolean {
  const name = nameOf(host ?? '')
  if (name === undefined) return false
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host]
  return [...own, ...allowedHosts].some((known) => nameOf(known) === name)
}

/**
 * Whether a request comes from a web page of another host. Programs send no `Origin` and are allowed. The scheme is not
 * compared, because the scheme before a proxy is not known.
 */
function isForeignOrigin(origin: string | undefined, host: string | undefined, publicUrl: string | undefined): boolean {
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const { protocol, host: originHost } = new URL(origin)
  const own = publicUrl ?? `${protocol}//${host}`
  return originHost === '' || !URL.canParse(own) || new URL(own).host !== originHost
}

/** Refuses requests to an unknown host, and those of other web pages (docs/rules.md#hosts). */
export function checkHost(address: ServiceAddress): RequestHandler {
  const { publicUrl, allowedHosts } = address
  const isConfigured = publicUrl !== undefined || allowedHosts.length > 0
  return ({ headers: { host, origin } }, _response, next) => {
    if ((isConfigured || listensOnLoopback(address)) && !isKnownHost(host, address)) {
      throw new AppError(
        'unknown_host',
        `This service is not known as "${(host ?? '').slice(0, maxShown)}". The operator can add the name to HEADSUP_ALLOWED_HOSTS.`,
      )
    }
    if (isForeignOrigin(origin, host, publicUrl)) {
      throw new AppError('forbidden', 'Pages of another origin may not call this service.')
    }
    next()
  }
}
