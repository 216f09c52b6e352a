import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/certificates/${name}`, import.meta.url))
const read = (name: string) => readFileSync(fixture(name), 'utf8')

/** `valid` until 2119; `expired` since 2020. Each is its own authority. */
export type Certificate = 'valid' | 'expired'

/** For `NODE_EXTRA_CA_CERTS` of a program that should trust both. */
export const certificatesFile = fixture('both.pem')

export interface TlsProxy {
  url: string
  /** From now on it has this certificate. Existing connections end. */
  use(certificate: Certificate): void
  stop(): Promise<void>
}

/** Starts an HTTPS server on 127.0.0.1 that passes every request on to an HTTP server. */
export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const contextOf = (name: Certificate) => ({ cert: read(`${name}.pem`), key: read(`${name}.key`) })
  const server = createServer(contextOf('valid'), (incoming, response) => {
    const { url = '/', method, headers } = incoming
    const forwarded = request(target + url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(certificate) {
      server.setSecureContext(contextOf(certificate))
      server.closeAllConnections()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
