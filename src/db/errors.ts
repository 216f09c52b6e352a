/**
 * The SQLSTATEs of temporary errors: connection lost, shutdown, start-up, no resources, a server that is read-only, a
 * deadlock, a serialization failure.
 */
const sqlStates = /^(08...|57P0[1-5]|53[0-9]{3}|25006|40001|40P01)$/

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
  'ENOENT',
])

/** The message of `pg` if no connection was free in time. It has no code. */
export const noConnectionInTime = 'timeout exceeded when trying to connect'

/** Messages of `pg` that have no code, such as that of a connection that takes too long to be made, and the error kinds of Prisma's adapter. */
const messages =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict/

/** Whether the error of any layer means that the database is unavailable for now. The caller may try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let found: unknown = error, depth = 0; found instanceof Object && depth < 8; depth++) {
    const code = Reflect.get(found, 'code')
    if (typeof code === 'string' && (sqlStates.test(code) || prismaCodes.has(code) || socketCodes.has(code)))
      return true
    if (found instanceof AggregateError && found.errors.some(isDatabaseUnavailable)) return true
    const kind = Reflect.get(found, 'kind')
    const text = found instanceof Error ? found.message : ''
    if (messages.test(text) || (typeof kind === 'string' && messages.test(kind))) return true
    if (isDatabaseUnavailable(driverError(found))) return true
    found = Reflect.get(found, 'cause')
  }
  return false
}

/** Whether it is a deadlock or a serialization failure, as `pg` or as Prisma reports it. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, 'code')
  if (code === '40P01' || code === '40001') return true
  const { cause } = driverError(error) ?? error
  return cause instanceof Object && Reflect.get(cause, 'kind') === 'TransactionWriteConflict'
}

/** Whether the server refuses to write: it is read-only, or its disk is full. */
export function isWriteRefused(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === '25006' || code === '53100'
}

/** Whether a statement took longer than `query_timeout`. `pg` gives no code. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Prisma keeps the driver's error in `meta`. */
function driverError(error: object): Error | undefined {
  const meta: unknown = Reflect.get(error, 'meta')
  const found: unknown = meta instanceof Object ? Reflect.get(meta, 'driverAdapterError') : undefined
  return found instanceof Error ? found : undefined
}

/** If a host name has several addresses, each attempt has an error of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : 'unknown'
}
