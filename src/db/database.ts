import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { StartError } from '../errors.ts'
import { type EmitEvent, ignoreEvents } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { closeTimedOut } from './close-timed-out.ts'
import { isUtc, UtcClient } from './connect.ts'
import { createConnectionLog, logConnections, messageOf } from './connection-log.ts'
import { FairPool } from './fair-pool.ts'
import { PrismaClient } from './generated/client.ts'
import { observeQueries } from './observe-queries.ts'
import { createPinger, type Pinger } from './ping.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

export { isDatabaseUnavailable } from './unavailable.ts'

/** One pool of connections, for Prisma and, in a `store.ts`, for queries that are hot; pings have a connection of their own. */
export interface Database extends Pick<Pinger, 'ping'> {
  prisma: PrismaClient
  pool: pg.Pool
  /** How many wait for a connection. */
  waiting(): number
  close(): Promise<void>
}

/** The oldest supported version of PostgreSQL (docs/rules.md#environment-variables). */
const oldestVersion = 140_000

/**
 * How long a statement may take, in milliseconds. Then its connection is closed, on which a server can end the statement by
 * itself. A limit of the server's would have to be set for the session, and poolers of transactions refuse or forget such
 * settings.
 */
const statementLimit = 10_000

/** How long a request waits for a connection, in milliseconds; then it is 503. */
const connectionLimit = 3_000

const limits = {
  idleTimeoutMillis: 30_000,
  keepAlive: true,
}

/** Whole numbers of 64 bits as Prisma reads them: a row is the same whoever read it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(id, format)),
}

export interface DatabaseOptions {
  log: Log
  poolSize?: number
  /** How long a statement may take, in milliseconds. */
  statementMs?: number
  /** How long to wait for a connection, in milliseconds. */
  connectionMs?: number
  /** Told of every statement once it is over. */
  observe?: EmitEvent
}

export function createDatabase(url: string, options: DatabaseOptions): Database {
  const { log, poolSize = 10, statementMs = statementLimit, connectionMs = connectionLimit } = options
  const { observe = ignoreEvents } = options
  // While another repository holds half of the connections: until one of its statements has to be over.
  const waitBehindOtherMs = statementMs + 2_000
  const pool = new FairPool({
    connectionString: url,
    max: poolSize,
    query_timeout: statementMs,
    connectionTimeoutMillis: connectionMs,
    waitBehindOtherMs,
    types,
    ...limits,
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  // The pool counts as ended while its connections still say goodbye, and an embedded PostgreSQL that is stopped then cuts
  // them off: nothing is lost by that.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) log.warn({ error: error.message }, 'a database connection was lost')
  })
  // One that breaks in use, between two statements of a transaction, fails the next; here, too, somebody has to listen.
  pool.on('connect', (client) => client.on('error', () => {}))
  closeTimedOut(pool, log)
  logConnections(pool, log)
  if (observe !== ignoreEvents) observeQueries(pool, observe)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
    // How long a transaction waits for its connection is decided by the pool.
    transactionOptions: { maxWait: waitBehindOtherMs + connectionMs },
  })
  retryOnConflict(pool, prisma)
  const pinger = createPinger(url)
  return {
    prisma,
    pool,
    waiting: () => pool.waiters(),
    ping: pinger.ping,
    async close() {
      closing = true
      await prisma.$disconnect()
      await Promise.all([pool.end(), pinger.close()])
    },
  }
}

/**
 * Waits until the database answers. Throws `StartError` when it does not within the time, in milliseconds, refuses the
 * connection, is too old, or has sessions that are not in UTC.
 */
export async function waitForDatabase(
  url: string,
  { timeoutMs, log, leaving }: { timeoutMs: number; log: Log; leaving?: AbortSignal | undefined },
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  const outage = createConnectionLog(log)
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      await assertUsable(url)
      return outage.reached()
    } catch (error) {
      if (error instanceof StartError) throw error
      const message = messageOf(error)
      if (!isDatabaseUnavailable(error)) {
        throw new StartError(`the database of DATABASE_URL refuses: ${message}`, { cause: error })
      }
      if (Date.now() + wait > deadline) {
        throw new StartError(`the database of DATABASE_URL does not answer: ${message}`, { cause: error })
      }
      outage.lost(error)
    }
    await sleep(wait)
    leaving?.throwIfAborted()
  }
}

async function assertUsable(url: string): Promise<void> {
  const client = new UtcClient({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; isUtc: boolean }>(
      `select current_setting('server_version_num') as version, ${isUtc} as "isUtc"`,
    )
    const version = Number(rows[0]?.version)
    if (version < oldestVersion) throw new StartError('the database of DATABASE_URL is older than PostgreSQL 14')
    if (rows[0]?.isUtc !== true) {
      throw new StartError(
        'the sessions of DATABASE_URL are not in UTC: a pooler drops the startup parameters TimeZone and DateStyle, or the database sets them at login; set them to UTC and ISO there',
      )
    }
  } finally {
    await client.end().catch(() => {})
  }
}
