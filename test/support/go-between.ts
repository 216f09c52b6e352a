import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * An address for one test that hands every request on to the service, after what the test does of one with this method.
 * A status that it gives is the answer instead.
 */
export async function goBetween(
  service: { url: string },
  method: string,
  meet: () => Promise<number | undefined>,
): Promise<string> {
  const server = createServer(async (asked, answer) => {
    const status = asked.method === method ? await meet() : undefined
    if (status !== undefined) {
      answer.writeHead(status).end(JSON.stringify({ error: { code: 'unavailable', message: 'Not now.' } }))
      return
    }
    const sent = request(service.url + asked.url, { method: asked.method, headers: asked.headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(answer)
    })
    asked.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
