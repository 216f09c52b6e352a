import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface DrainableServer {
  http: Server
  /**
   * Sends `Connection: close` from now on and stops accepting connections after the delay, in milliseconds, in which a load
   * balancer can notice. Resolves when all pending requests have their responses.
   */
  drain(delayMs?: number): Promise<void>
}

/** How long pending requests may still take after the delay, in milliseconds. */
const requestTimeoutMs = 20_000
/** How often connections without a pending request are closed, in milliseconds. So the headers of a request have this long. */
const idleTimeoutMs = 1_000

/**
 * A server that stops without failing a request (docs/rules.md#shutdown): responses carry `Connection: close` from then
 * on, and kept connections get no further requests.
 */
export function drainable(http: Server): DrainableServer {
  const pending = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let draining = false
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  http.prependListener('request', (_request, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close')
    pending.add(response)
    response.once('close', () => pending.delete(response))
  })
  /** Node waits for these connections without a timeout once the server closes. */
  function closeIdle() {
    const busy = new Set([...pending].map(({ req }) => req.socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
  }
  async function drain(delayMs = 0) {
    draining = true
    if (delayMs > 0) await sleep(delayMs)
    for (const response of pending) if (!response.headersSent) response.setHeader('Connection', 'close')
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    http.closeIdleConnections()
    const deadline = setTimeout(() => http.closeAllConnections(), requestTimeoutMs).unref()
    const idleCheck = setInterval(closeIdle, idleTimeoutMs).unref()
    await closed
    clearInterval(idleCheck)
    clearTimeout(deadline)
  }
  return { http, drain }
}
