import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { answerMalformedRequests, type MalformedRequestOptions } from './malformed-requests.ts'

export interface ListenerBounds {
  /** A connection beyond these is closed at once. */
  maxConnections: number
  /** How long the headers of a request may take, in milliseconds; then 408. A connection that sends nothing counts. */
  headersMs: number
  /** How long a whole request may take to arrive, its body included, in milliseconds; then 408. */
  requestMs: number
  /** How long a kept connection may lie idle, in milliseconds. Longer than the 60 s that load balancers keep theirs. */
  idleMs: number
  /** How long a client may take to read an answer that is ready, in milliseconds; then the connection is closed. */
  readMs: number
}

export const defaultBounds: ListenerBounds = {
  maxConnections: 4_096,
  headersMs: 10_000,
  requestMs: 20_000,
  idleMs: 65_000,
  readMs: 20_000,
}

/** Of all header fields together, in bytes; more is 431. */
const maxHeaderSize = 16_384

/** How often what is late is looked for, in milliseconds: so much later it may be cut. */
const lookEveryMs = 1_000

/**
 * A server in which no client can hold a connection, or the memory behind it, for as long as it likes. Whether there is a
 * `Host`, and what is expected, is left to the listener; what can't be read as a request is answered here, and told.
 */
export function createListener(
  listener: RequestListener,
  given: Partial<ListenerBounds> = {},
  refusals: MalformedRequestOptions = {},
): Server {
  const bounds = { ...defaultBounds, ...given }
  const server = createServer({
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.idleMs,
    connectionsCheckingInterval: Math.min(lookEveryMs, bounds.headersMs, bounds.requestMs),
    maxHeaderSize,
    requireHostHeader: false,
  })
  const admits = answerMalformedRequests(server, refusals)
  server.on('request', (request, response) => {
    if (admits(request, response)) listener(request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.maxConnections = bounds.maxConnections
  // Beyond a thousand fields Node would drop them unsaid, an `Authorization` among them.
  server.maxHeadersCount = 0
  // A full house first sends home whoever only sits there.
  server.on('drop', () => server.closeIdleConnections())
  server.prependListener('request', (_request, response: ServerResponse) => cutSlowReader(response, bounds.readMs))
  return server
}

/** An answer that nobody reads stays in our memory. */
function cutSlowReader(response: ServerResponse, readMs: number) {
  response.once('prefinish', () => {
    const { socket } = response
    const overdue = setTimeout(() => socket?.destroy(), readMs)
    response.once('close', () => clearTimeout(overdue))
  })
}
