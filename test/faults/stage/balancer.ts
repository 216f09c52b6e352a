import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A simple load balancer: it polls `/readyz`, works round robin, keeps connections, and never retries. */
export interface Balancer {
  url: string
  /** Resolves when `count` instances are ready. */
  ready(count: number): Promise<void>
  stop(): Promise<void>
}

const everyMs = 50

export async function startBalancer(instances: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ending = new AbortController()
  let ready: string[] = []
  let turn = 0
  const server = createServer((incoming, response) => {
    const target = ready[turn++ % ready.length]
    if (target) forward(target, agent, incoming, response)
    else response.destroy()
  })
  const polling = (async () => {
    while (!ending.signal.aborted) {
      const results = await Promise.all(instances.map(isReady))
      ready = instances.filter((_, at) => results[at])
      await sleep(everyMs)
    }
  })()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the balancer does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async ready(count) {
      while (ready.length !== count) await sleep(10)
    },
    async stop() {
      ending.abort()
      await polling
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function isReady(instance: string): Promise<boolean> {
  return fetch(`${instance}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
}

function forward(target: string, agent: Agent, incoming: IncomingMessage, response: ServerResponse): void {
  const { connection: _, ...headers } = incoming.headers
  const forwarded = request(
    target + (incoming.url ?? '/'),
    { agent, method: incoming.method ?? 'GET', headers },
    (reply) => {
      const { connection: __, ...back } = reply.headers
      response.writeHead(reply.statusCode ?? 502, back)
      reply.pipe(response)
      reply.on('error', () => response.destroy())
    },
  )
  forwarded.on('error', () => response.destroy())
  incoming.pipe(forwarded)
}
