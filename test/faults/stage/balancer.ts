import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A load balancer as simple as they come: it asks for readiness, takes turns, keeps connections, and never tries twice. */
export interface Balancer {
  url: string
  /** Resolves when so many instances are ready. */
  ready(count: number): Promise<void>
  stop(): Promise<void>
}

const everyMs = 50

export async function startBalancer(instances: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ending = new AbortController()
  let ready: string[] = []
  let turn = 0
  const server = createServer((asked, answer) => {
    const target = ready[turn++ % ready.length]
    if (target) pass(target, agent, asked, answer)
    else answer.destroy()
  })
  const asking = (async () => {
    while (!ending.signal.aborted) {
      const said = await Promise.all(instances.map(isReady))
      ready = instances.filter((_, at) => said[at])
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
      await asking
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function isReady(instance: string): Promise<boolean> {
  return fetch(`${instance}/readyz`).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status === 200
    },
    () => false,
  )
}

function pass(target: string, agent: Agent, asked: IncomingMessage, answer: ServerResponse): void {
  const { connection: _, ...headers } = asked.headers
  const passed = request(target + (asked.url ?? '/'), { agent, method: asked.method ?? 'GET', headers }, (got) => {
    const { connection: __, ...back } = got.headers
    answer.writeHead(got.statusCode ?? 502, back)
    got.pipe(answer)
    got.on('error', () => answer.destroy())
  })
  passed.on('error', () => answer.destroy())
  asked.pipe(passed)
}
