/**
 * PostgreSQL's own words for "not now": connections, shutdowns, a start in progress, a server turned read-only, a
 * transaction ended so that others get on.
 */
const sqlStates = /^(08...|57P0[1-5]|53[0-9]{3}|25006|40001|40P01)$/

/** Prisma: can't reach, closed, timed out (pool and transaction). */
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

/** What `pg` says where no connection got free in time; it gives no code. */
export const noConnectionInTime = 'timeout exceeded when trying to connect'

/** What `pg` says without a code, and the adapter's kinds of error. */
const messages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict/

/** Whether the error says that the database is away or can't do it now, by whatever layer it was thrown; the caller may try again. */
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

/** Prisma keeps what the driver said in `meta`. */
export function driverError(error: object): unknown {
  const meta: unknown = Reflect.get(error, 'meta')
  return meta instanceof Object ? Reflect.get(meta, 'driverAdapterError') : undefined
}
