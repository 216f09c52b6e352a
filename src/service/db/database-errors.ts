/** The SQLSTATEs of a lost connection, and of a server that shuts down or starts. */
const connectionStates = /^(08...|57P0[1-5])$/

/** The SQLSTATEs of other temporary errors: no resources, a server that is read-only, a deadlock, a serialization failure. */
const otherStates = /^(53[0-9]{3}|25006|40001|40P01)$/

/** Prisma's codes: can't reach, closed, timed out (pool and transaction). */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/** The message of `pg` if no connection was free in time. It has no code. */
export const noConnectionInTime = 'timeout exceeded when trying to connect'

/** The message of `pg` if a statement took longer than `query_timeout`. It has no code. */
export const readTimeout = 'Query read timeout'

/**
 * Messages of `pg` that have no code, a missing Unix socket (Prisma keeps `ENOENT`, which a missing file has too, but not the
 * system call), and the error kinds of Prisma's adapter.
 */
const messages =
  /connect ENOENT|Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict/

/** Whether the error of any layer means that the database is unavailable for now. The caller may try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return layersOf(error).some((layer) => {
    const code = codeOf(layer)
    if (connectionStates.test(code) || otherStates.test(code)) return true
    if (prismaCodes.has(code) || socketCodes.has(code)) return true
    const kind = Reflect.get(layer, 'kind')
    const text = layer instanceof Error ? layer.message : ''
    return messages.test(text) || (typeof kind === 'string' && messages.test(kind))
  })
}

/** The error, the errors in it, and their causes. */
function layersOf(error: unknown, depth = 0): object[] {
  if (!(error instanceof Object) || depth === 8) return []
  const inner = [
    ...(error instanceof AggregateError ? error.errors : []),
    driverError(error),
    Reflect.get(error, 'cause'),
  ]
  return [error, ...inner.flatMap((one) => layersOf(one, depth + 1))]
}

function codeOf(layer: object): string {
  const code: unknown = Reflect.get(layer, 'code')
  return typeof code === 'string' ? code : ''
}

/** Whether it is a deadlock or a serialization failure, as `pg` or as Prisma reports it. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, 'code')
  if (code === '40P01' || code === '40001') return true
  const { cause } = driverError(error) ?? error
  return cause instanceof Object && Reflect.get(cause, 'kind') === 'TransactionWriteConflict'
}

/** Whether it, or what caused it, is one. */
export function isCausedByConflict(error: unknown): boolean {
  return layersOf(error).some(isConflict)
}

/** Whether the server refuses to write: it is read-only, or its disk is full. */
export function isWriteRefused(error: unknown): boolean {
  return layersOf(error).some((layer) => ['25006', '53100'].includes(codeOf(layer)))
}

/** Whether the server, or a pooler, said that it ends the connection, as `pg` reports it. */
export function isConnectionEnded(error: unknown): boolean {
  return error instanceof Error && connectionStates.test(codeOf(error))
}

/** Prisma's codes for a wait of its own: for a connection, or for the end of a transaction. */
const waitCodes = new Set(['P2024', 'P2028'])

/** Whether it waited for other callers of this process, which says nothing about the database. */
export function isBusy(error: unknown): boolean {
  return layersOf(error).some(
    (layer) => waitCodes.has(codeOf(layer)) || (layer instanceof Error && layer.message === noConnectionInTime),
  )
}

/** Whether a statement took longer than it may. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === readTimeout
}

/** Prisma keeps the driver's error in `meta`. */
function driverError(error: object): Error | undefined {
  const meta: unknown = Reflect.get(error, 'meta')
  const found: unknown = meta instanceof Object ? Reflect.get(meta, 'driverAdapterError') : undefined
  return found instanceof Error ? found : undefined
}
