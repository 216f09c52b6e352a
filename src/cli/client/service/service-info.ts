import { type Failure, ServiceAway, unavailable } from '../../failure.ts'
import { asRecord, type Json, record, textField } from '../json.ts'
import { sendHttp } from './http.ts'

/** The address of the service, and what it was read from, such as `HEADSUP_URL`. */
export interface GivenAddress {
  url: URL
  addressFrom: string
}

/** The address as text, without a trailing slash. */
export function rootOf(url: URL): string {
  return url.origin + pathOfAddress(url)
}

/** The path of the address without a trailing slash: empty, or that of a proxy. */
export function pathOfAddress(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

/**
 * What the service says of itself at `/api/v1` (docs/rules.md#service-information); undefined where something else answers.
 * Throws where a proxy answers because the service does not.
 */
export async function readServiceInfo(url: URL, signal: AbortSignal): Promise<{ status: number; info?: Json }> {
  const { status, body } = await sendHttp({ method: 'GET', url: new URL(`${rootOf(url)}/api/v1`), signal })
  const info = asRecord(body)
  if (status >= 500 && textField(record(info, 'error'), 'code') === undefined) throw awayBehindProxy(url, status)
  return status === 200 && textField(info, 'name') === 'headsup' ? { status, info } : { status }
}

/** The failure for a 5xx that is not Headsup's own: a proxy sends one where the service behind it does not answer. */
export function awayBehindProxy(url: URL, status: number): ServiceAway {
  return new ServiceAway(
    `${url.origin} responded with ${status} in place of Headsup, which is down or not reached by the proxy there.`,
    status,
  )
}

/** The failure for an address at which something else than Headsup answers. */
export function notHeadsup({ url, addressFrom }: GivenAddress, status: number): Failure {
  const hint = pathOfAddress(url) === '' ? '' : ` Did you mean ${url.origin}?`
  return unavailable(`${addressFrom} must be the address of Headsup, which ${rootOf(url)} is not.${hint}`, status)
}
