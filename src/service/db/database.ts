import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import { type EmitEvent, ignoreEvents } from '../lib/service-events.ts'
import { createConnectionLog } from './connection-log.ts'
import { FairPool } from './fair-pool.ts'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { createPinger } from './pinger.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { createWriteCheck } from './write-check.ts'

export { isBusy, isCausedByConflict, isDatabaseUnavailable, isWriteRefused } from './database-errors.ts'

/**
 * The database. Prisma and SQL share one pool of connections. Statements and transactions that fail with a deadlock or
 * a serialization failure are retried. `isDatabaseUnavailable` recognises temporary errors.
 */
export interface Database {
  /** Prisma, for single statements. Its own `$transaction` is not retried: use `transaction`. */
  prisma: PrismaClient
  /** Runs one SQL statement. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
  /** Runs `work` in a transaction, and retries all of it after a conflict: it must change nothing but the database. */
  transaction<Result>(
    work: (tx: Prisma.TransactionClient) => Promise<Result>,
    options?: { timeout?: number },
  ): Promise<Result>
  /** Throws unless the database responds within the time, in milliseconds. After a write has failed, it has to write. */
  ping(timeoutMs: number): Promise<string | undefined>
  /** How many connections there are, how many of them are idle, and how many callers wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /**
   * Calls the listener when a connection was lost, and when there is none any more. The next connection may lead to a server
   * with other data: a replica that lags, or a restored backup.
   */
  onConnectionLost(listener: () => void): void
  /** For db/ and for tests. */
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * How long a statement may take, in milliseconds. Then its connection is closed, and the server can end the statement. A
 * limit of the server would have to be set for the session, and poolers in transaction mode reject or forget such settings.
 */
const statementLimit = 5_000

/** How long a request waits for one of the connections, and how long it takes to connect, in milliseconds. */
const connectionLimit = 5_000

const connectionOptions = { idleTimeoutMillis: 30_000, keepAlive: true }

export interface DatabaseOptions {
  log: Log
  poolSize?: number
  /** How long a statement may take, in milliseconds. */
  statementMs?: number
  /** How long to wait for one of the connections, and how long to connect, in milliseconds. */
  connectionMs?: number
  /** How long an idle connection is kept, in milliseconds. */
  idleMs?: number
  /** Receives an event for each statement that has ended. */
  emit?: EmitEvent
}

export function createDatabase(url: string, options: DatabaseOptions): Database {
  const { log, poolSize = 10, statementMs = statementLimit, connectionMs = connectionLimit } = options
  const { emit = ignoreEvents } = options
  const connectionLog = createConnectionLog(log)
  const writeCheck = createWriteCheck(log)
  const lostListeners: (() => void)[] = []
  const pool = new FairPool({
    connectionString: url,
    max: poolSize,
    query_timeout: statementMs,
    connectionTimeoutMillis: connectionMs,
    ...connectionOptions,
    idleTimeoutMillis: options.idleMs ?? connectionOptions.idleTimeoutMillis,
    listener: {
      connected: connectionLog.reached,
      connectFailed: connectionLog.lost,
      statement: ({ text, requestContext, ms, error }) => {
        if (error) writeCheck.failed(error)
        emit({ kind: 'query', requestContext, text, ms, failed: Boolean(error) })
      },
      timedOut: (idle) => log.warn({ idle }, 'a statement timed out: its connection and the idle ones are closed'),
      lost: () => {
        for (const listener of lostListeners) listener()
      },
    },
  })
  // The pool replaces an idle connection that breaks. Without a listener the process would end. While the pool closes,
  // the embedded PostgreSQL may end its connections. That loses nothing.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) log.warn({ error: error.message }, 'a database connection was lost')
  })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
    // The pool decides how long a transaction waits for its connection, which may be a new one.
    transactionOptions: { maxWait: 2 * connectionMs + 1_000 },
  })
  const pinger = createPinger(url, writeCheck)
  return {
    prisma,
    pool,
    query: (text, values) => pool.query(text, values),
    transaction: (work, limits) => retryOnConflict(() => prisma.$transaction(work, limits)),
    onConnectionLost: (listener) => void lostListeners.push(listener),
    ping: pinger.ping,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waiting() }),
    async close() {
      closing = true
      await prisma.$disconnect()
      await Promise.all([pool.end(), pinger.close()])
    },
  }
}
