import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'

export interface ListenerBounds {
  /** Further connections are closed immediately. */
  maxConnections: number
  /** How long the headers of a request may take, in milliseconds; then 408. The time runs from the connection on. */
  headersMs: number
  /** How long a whole request with its body may take to arrive, in milliseconds; then 408. */
  requestMs: number
  /** How long a kept connection may be idle, in milliseconds. Longer than the 60 s of most load balancers. */
  idleMs: number
  /** How long a client may take to read a complete response, in milliseconds; then the connection is closed. */
  readMs: number
}

export const defaultBounds: ListenerBounds = {
  maxConnections: 4_096,
  headersMs: 10_000,
  requestMs: 20_000,
  idleMs: 65_000,
  readMs: 20_000,
}

/** The size of all headers together, in bytes; more is 431. */
const maxHeaderSize = 16_384

/** How often Node looks for late requests, in milliseconds. So a request may be cut off this much later. */
const checkEveryMs = 1_000

/**
 * A server in which no client can hold a connection, or the memory behind it, for as long as it likes. Node itself responds
 * to what its parser refuses, in plain text, and closes the connection (docs/rules.md#malformed-requests).
 */
export function createListener(listener: RequestListener, given: Partial<ListenerBounds> = {}): Server {
  const bounds = { ...defaultBounds, ...given }
  const options = {
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.idleMs,
    connectionsCheckingInterval: Math.min(checkEveryMs, bounds.headersMs, bounds.requestMs),
    maxHeaderSize,
  }
  const server = createServer(options, listener)
  server.maxConnections = bounds.maxConnections
  // With a limit, Node would silently drop the headers beyond it, for example `Authorization`.
  server.maxHeadersCount = 0
  // At the connection limit, close idle keep-alive connections.
  server.on('drop', () => server.closeIdleConnections())
  server.prependListener('request', (_request, response: ServerResponse) => cutSlowReader(response, bounds.readMs))
  return server
}

/** Closes the connection if the client takes too long to read a response, which stays in memory until then. */
function cutSlowReader(response: ServerResponse, readMs: number) {
  response.once('prefinish', () => {
    const { socket } = response
    const timeout = setTimeout(() => socket?.destroy(), readMs)
    response.once('close', () => clearTimeout(timeout))
  })
}
