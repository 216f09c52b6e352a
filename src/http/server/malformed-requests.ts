import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../errors.ts'
import { errorBody, errorStatus } from '../middleware/error-handler.ts'
import { requestIdOf } from '../middleware/request-headers.ts'
import { abortBody } from './aborted-body.ts'
import { parserError } from './parser-errors.ts'
import { rawResponse } from './raw-answer.ts'

/** A refusal of what became no request. `fault` is of Node's own closed list, or `CONNECT`. */
export interface MalformedRequest {
  requestId: string
  status: number
  fault: string
}

export interface MalformedRequestOptions {
  /** Told of each. */
  onRefused?: (refused: MalformedRequest) => void
  /** What a refusal's body is, where it is another one than the API's. */
  refusalBody?: (error: AppError, requestId: string) => object
}

interface Connection {
  /** Answers that are not written yet, in the order of their requests. */
  open: Set<ServerResponse>
  last?: { request: IncomingMessage; response: ServerResponse }
  /** What is done once no answer is open, unless the last one closed the connection. While it is there, nothing more is taken. */
  atEnd?: () => void
}

/** For how long a client may go on sending once it was refused, in milliseconds: a reset could take the answer from it. */
const lingerMs = 1_000

/**
 * Answers, as all refusals are, what Node's parser would answer by itself: never in the middle of another answer, after all
 * that were asked for before, and once for each connection, which is closed then. Returns what is asked of every request:
 * whether to serve it.
 */
export function answerMalformedRequests(
  server: Server,
  { onRefused, refusalBody = errorBody }: MalformedRequestOptions,
) {
  const connections = new WeakMap<Duplex, Connection>()

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket)
    if (known) return known
    const made: Connection = { open: new Set() }
    connections.set(socket, made)
    return made
  }

  function admits(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = connectionOf(request.socket)
    if (connection.atEnd) return false
    const { open } = connection
    connection.last = { request, response }
    open.add(response)
    response.once('close', () => {
      open.delete(response)
      end(request.socket, connection)
    })
    return true
  }

  function whenAnswered(socket: Duplex, atEnd: () => void): void {
    const connection = connectionOf(socket)
    if (connection.atEnd) return
    connection.atEnd = atEnd
    end(socket, connection)
  }

  function end(socket: Duplex, { open, atEnd }: Connection): void {
    if (open.size === 0 && socket.writable) atEnd?.()
  }

  function close(socket: Duplex, text: string): void {
    socket.end(text)
    const overdue = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(overdue))
  }

  function refuse(socket: Duplex, error: AppError, { fault, requestId }: Omit<MalformedRequest, 'status'>): void {
    close(socket, rawResponse(error, requestId, refusalBody))
    onRefused?.({ requestId, status: errorStatus(error.code), fault })
  }

  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const error = parserError(code)
    if (!error) return void socket.destroy()
    const { last } = connectionOf(socket)
    if (!last || last.request.complete) {
      const seen = { fault: code, requestId: requestIdOf(undefined) }
      whenAnswered(socket, () => refuse(socket, error, seen))
      return
    }
    // The client left: there is no rest of a body, and nobody to answer.
    if (code === 'HPE_INVALID_EOF_STATE') return void socket.destroy()
    if (!last.response.headersSent) last.response.setHeader('Connection', 'close')
    whenAnswered(socket, () => close(socket, ''))
    abortBody(last.request, error)
  })

  server.on('connect', (request, socket) => {
    // Node has let go of the connection, its errors included, which end it.
    socket.on('error', () => {})
    socket.resume()
    const error = new AppError('method_not_allowed', 'This is no proxy.', { headers: { Allow: '' } })
    const seen = { fault: 'CONNECT', requestId: requestIdOf(request.headers['x-request-id']) }
    whenAnswered(socket, () => refuse(socket, error, seen))
  })

  return admits
}
