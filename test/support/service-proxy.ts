import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Starts a proxy of the service for one test. Runs `intercept` before each request with the method, or before all. Where that returns a
 * status, the proxy responds with it; else it forwards the request. Returns the address of the proxy.
 */
export async function startProxy(
  service: { url: string },
  method: string | undefined,
  intercept: (incoming: IncomingMessage) => Promise<number | undefined>,
): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const status = method === undefined || incoming.method === method ? await intercept(incoming) : undefined
    if (status !== undefined) {
      response.writeHead(status).end(JSON.stringify({ error: { code: 'unavailable', message: 'Not now.' } }))
      return
    }
    const { url, headers } = incoming
    const forwarded = request(service.url + url, { method: incoming.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    // A test may end before a delayed request is forwarded.
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
