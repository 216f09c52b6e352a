import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { StartError } from '../errors.ts'
import type { Log } from '../log.ts'
import { PrismaClient } from './generated/client.ts'

export { isDatabaseUnavailable } from './unavailable.ts'

/** One pool of connections, for Prisma and, in a `store.ts`, for queries that are hot. */
export interface Database {
  prisma: PrismaClient
  pool: pg.Pool
  /** Throws unless the database answers within the time, in milliseconds. */
  ping(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

/** The oldest PostgreSQL that the service runs on (decisions §11). */
const oldestVersion = 140_000

const limits = {
  /** How long a request waits for a connection. */
  connectionTimeoutMillis: 5_000,
  /** How long a query may take, here and on the server. */
  query_timeout: 30_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
}

export function createDatabase(url: string, { log, poolSize = 10 }: { log: Log; poolSize?: number }): Database {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, ...limits })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'a database connection was lost'))
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' })
  return {
    prisma,
    pool,
    async ping(timeoutMs) {
      const overdue = sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('timeout exceeded when trying to connect')
      })
      await Promise.race([pool.query('select 1'), overdue])
    },
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Waits until the database answers; throws `StartError` when it does not in time, or is too old. */
export async function waitForDatabase(url: string, { timeoutMs, log }: { timeoutMs: number; log: Log }): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await assertVersion(url)
    } catch (error) {
      if (error instanceof StartError) throw error
      const message = error instanceof Error ? error.message : 'unknown'
      if (Date.now() + wait > deadline) {
        throw new StartError(`the database of DATABASE_URL does not answer: ${message}`, { cause: error })
      }
      log.warn({ error: message }, 'the database does not answer yet')
    }
    await sleep(wait)
  }
}

async function assertVersion(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
    const version = Number(rows[0]?.version)
    if (version < oldestVersion) throw new StartError('the database of DATABASE_URL is older than PostgreSQL 14')
  } finally {
    await client.end().catch(() => {})
  }
}
