import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client.ts'

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. The types of `pg` lack it. */
    getStartupConf(): Record<string, string>
  }
}

/**
 * Prisma's adapter sends timestamps without an offset and drops the offset of those it reads. Statements are short: to compile one
 * takes longer than to run it.
 */
const session = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', jit: 'off' }

/** A connection whose session is in UTC, by startup parameters: they override what server, database and role say. */
export class UtcClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // A connection may break between two statements. The next one fails; without a listener the process would end.
    this.on('error', () => {})
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...session }
  }
}

const mostConnections = 10

export function openDatabase(connectionString: string) {
  const pool = new pg.Pool({
    connectionString,
    max: mostConnections,
    connectionTimeoutMillis: 5_000,
    query_timeout: 20_000,
    Client: UtcClient,
  })
  // An idle connection that breaks is replaced by the next request.
  pool.on('error', () => {})
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    transactionOptions: { maxWait: 5_000, timeout: 20_000 },
  })
  return { pool, prisma }
}
