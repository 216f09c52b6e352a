import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { UtcClient } from '../../src/service/db/connect.ts'
import { createDatabase, type Database, type DatabaseOptions } from '../../src/service/db/database.ts'
import { silentLog } from './log.ts'

/** One connection, which all test files of a worker share: a new one costs more than most statements. */
let admin: pg.Pool | undefined

async function administrate(sql: string): Promise<void> {
  admin ??= openAdmin()
  await admin.query(sql)
}

function openAdmin(): pg.Pool {
  const pool = new pg.Pool({ connectionString: inject('postgres').adminUrl, max: 1, idleTimeoutMillis: 0 })
  // PostgreSQL ends before the workers. Without a listener that would be an error of a test.
  pool.on('error', () => {})
  return pool
}

/** Creates a database from the template with the migrations, with these PostgreSQL settings as its defaults. */
export async function createTestDatabase(
  settings: Record<string, string> = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administrate(`create database ${name} template ${template} strategy file_copy`)
  for (const [setting, value] of Object.entries(settings)) {
    await administrate(`alter database ${name} set ${setting} = '${value}'`)
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => administrate(`drop database if exists ${name} with (force)`),
  }
}

const clients = new WeakMap<pg.Pool, Set<UtcClient>>()

/** Opens a database, by default with the usual options. */
export function databaseAt(url: string, options: Partial<DatabaseOptions> = {}): Database {
  const db = createDatabase(url, { log: silentLog, ...options })
  const open = new Set<UtcClient>()
  clients.set(db.pool, open)
  db.pool.on('connect', (client) => client instanceof UtcClient && open.add(client))
  db.pool.on('remove', (client) => client instanceof UtcClient && open.delete(client))
  return db
}

/** The open connections of a database that was opened here. */
export function clientsOf({ pool }: Pick<Database, 'pool'>): UtcClient[] {
  return [...(clients.get(pool) ?? [])]
}
