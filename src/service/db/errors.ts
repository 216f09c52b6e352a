import { Prisma } from './generated/client.ts'

/** Whether a unique column has this value already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** Codes of PostgreSQL (connection, shutdown, resources, read-only, conflict), of sockets, and of Prisma. */
const temporary =
  /^(08...|57P0[1-5]|53...|25006|40001|40P01|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037)$/

/** Errors of `pg` that have no code, and the kinds of Prisma's adapter. */
const messages =
  /DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict|Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|connect ENOENT/

/** Whether the database can not be used for now, as `pg` or as Prisma says it. */
export function isUnavailable(error: unknown): boolean {
  return layersOf(error).some(
    (layer) =>
      temporary.test(textOf(layer, 'code')) ||
      messages.test(textOf(layer, 'kind')) ||
      (layer instanceof Error && messages.test(layer.message)),
  )
}

/** Whether PostgreSQL has undone a transaction since it met another one. */
export function isConflict(error: unknown): boolean {
  return layersOf(error).some(
    (layer) =>
      /^(40001|40P01|P2034)$/.test(textOf(layer, 'code')) || textOf(layer, 'kind') === 'TransactionWriteConflict',
  )
}

/** The error and what caused it: Prisma keeps the error of `pg` in `meta`. */
function layersOf(error: unknown, depth = 0): object[] {
  if (!(error instanceof Object) || depth > 5) return []
  const meta: unknown = Reflect.get(error, 'meta')
  const inner: unknown[] = [
    Reflect.get(error, 'cause'),
    meta instanceof Object ? Reflect.get(meta, 'driverAdapterError') : null,
    ...(error instanceof AggregateError ? error.errors : []),
  ]
  return [error, ...inner.flatMap((one) => layersOf(one, depth + 1))]
}

function textOf(layer: object, key: string): string {
  const value: unknown = Reflect.get(layer, key)
  return typeof value === 'string' ? value : ''
}
