import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface DrainableServer {
  http: Server
  /**
   * Answers with `Connection: close` from now on, takes no new connection once the delay is over, in milliseconds (that a
   * balancer may learn of it), and resolves when all that is under way is answered.
   */
  drain(delayMs?: number): Promise<void>
}

/** How long a request under way may still take once the service is told to stop, in milliseconds. */
const patience = 20_000
/** How long a connection without a request under way still has for the whole head of one, in milliseconds. */
const silence = 1_000

/**
 * A server that stops without failing a request (docs/rules.md#shutdown): responses carry `Connection: close` from then
 * on, and kept connections get no further requests.
 */
export function drainable(http: Server): DrainableServer {
  const underWay = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let draining = false
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  http.prependListener('request', (_request, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close')
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  /** Node waits for them, and no longer looks at how late they are. */
  function closeSilent() {
    const busy = new Set([...underWay].map(({ req }) => req.socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
  }
  async function drain(delayMs = 0) {
    draining = true
    if (delayMs > 0) await sleep(delayMs)
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    http.closeIdleConnections()
    const overdue = setTimeout(() => http.closeAllConnections(), patience)
    overdue.unref()
    const silent = setInterval(closeSilent, silence).unref()
    await closed
    clearInterval(silent)
    clearTimeout(overdue)
  }
  return { http, drain }
}
