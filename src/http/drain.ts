import type { Server, ServerResponse } from 'node:http'

export interface DrainableServer {
  http: Server
  /** Takes no new connection, answers what is under way with `Connection: close`, and resolves when all is answered. */
  drain(): Promise<void>
}

/** How long a request under way may still take once the service is told to stop, in milliseconds. */
const patience = 20_000

/**
 * A server that can be stopped without failing a request (decisions §11): answers carry `Connection: close` from then on,
 * and kept connections get no further.
 */
export function drainable(http: Server): DrainableServer {
  const underWay = new Set<ServerResponse>()
  let draining = false
  http.prependListener('request', (_request, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close')
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  async function drain() {
    draining = true
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    http.closeIdleConnections()
    const overdue = setTimeout(() => http.closeAllConnections(), patience)
    overdue.unref()
    await closed
    clearTimeout(overdue)
  }
  return { http, drain }
}
