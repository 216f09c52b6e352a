import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../errors.ts'
import { breakBody } from './body-fault.ts'
import { errorStatus } from './error-handler.ts'
import { faultError } from './fault-error.ts'
import { rawAnswer } from './raw-answer.ts'
import { requestIdOf } from './request-headers.ts'

/** A refusal of what became no request. `fault` is of Node's own closed list, or `CONNECT`. */
export interface Unreadable {
  requestId: string
  status: number
  fault: string
}

interface Connection {
  /** Answers that are not written yet, in the order of their requests. */
  open: Set<ServerResponse>
  last?: { request: IncomingMessage; response: ServerResponse }
  /** What is done, and done once, when no answer is open. Its being there says that nothing more is taken. */
  atEnd?: () => void
}

interface Options {
  /** How long a client may take to read what is written last, in milliseconds. */
  readMs: number
  onRefused: (refused: Unreadable) => void
}

/** For how long a client that was refused may go on sending, in milliseconds: a reset could take the answer from it. */
const lingerMs = 1_000

/**
 * Answers, as all refusals are, what Node's parser would answer by itself: never in the middle of another answer, after all
 * that were asked for before, and once for each connection, which is closed then. Returns what is asked of every request:
 * whether to serve it.
 */
export function answerUnreadable(server: Server, { readMs, onRefused }: Options) {
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
      if (open.size === 0) connection.atEnd?.()
    })
    return true
  }

  function whenAnswered(connection: Connection, atEnd: () => void): void {
    connection.atEnd = atEnd
    if (connection.open.size === 0) atEnd()
  }

  function close(socket: Duplex, text: string): void {
    const unread = setTimeout(() => socket.destroy(), readMs)
    socket.once('close', () => clearTimeout(unread))
    socket.end(text, 'latin1', () => setTimeout(() => socket.destroy(), lingerMs).unref())
  }

  function refuse(socket: Duplex, error: AppError, { fault, requestId }: Omit<Unreadable, 'status'>): void {
    if (!socket.writable) return
    close(socket, rawAnswer(error, requestId))
    onRefused({ requestId, status: errorStatus(error.code), fault })
  }

  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const error = faultError(code)
    const connection = connectionOf(socket)
    if (!error) return void socket.destroy()
    if (connection.atEnd) return
    const { last } = connection
    if (!last || last.request.complete) {
      const seen = { fault: code, requestId: requestIdOf(undefined) }
      whenAnswered(connection, () => refuse(socket, error, seen))
      return
    }
    // The client left: there is no rest of a body, and nobody to answer.
    if (code === 'HPE_INVALID_EOF_STATE') return void socket.destroy()
    if (!last.response.headersSent) last.response.setHeader('Connection', 'close')
    whenAnswered(connection, () => close(socket, ''))
    breakBody(last.request, error)
  })

  server.on('connect', (request, socket) => {
    const connection = connectionOf(socket)
    // Node has let go of the connection, its errors included.
    socket.on('error', () => socket.destroy())
    socket.resume()
    if (connection.atEnd) return
    const error = new AppError('method_not_allowed', 'This is no proxy.', { headers: { Allow: '' } })
    const seen = { fault: 'CONNECT', requestId: requestIdOf(request.headers['x-request-id']) }
    whenAnswered(connection, () => refuse(socket, error, seen))
  })

  return admits
}
