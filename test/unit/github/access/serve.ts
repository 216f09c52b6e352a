import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Served {
  url: string
  /** `METHOD /path` of every request, in order. */
  received: string[]
  requests: IncomingMessage[]
}

/** Starts an HTTP server on the loopback address until the test ends. */
export async function serve(listener: RequestListener): Promise<Served> {
  const served: Served = { url: '', received: [], requests: [] }
  const server = createServer((request, response) => {
    served.received.push(`${request.method} ${request.url}`)
    served.requests.push(request)
    listener(request, response)
  })
  served.url = await listen(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return served
}

/** A URL where no server listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  const url = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return url
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return `http://127.0.0.1:${address.port}`
}
