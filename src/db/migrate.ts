import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationDirectory, MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import { createPool } from './connect.ts'
import { createSchemaEngine } from './schema-engine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ownMigrations = join(root, 'prisma/migrations')

/** Any number that no other program on the database is likely to lock. */
const lockId = 4_861_730_001

/** The migrations of a directory, as the schema engine takes them. */
export async function readMigrations(baseDir = ownMigrations): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const read = async (path: string): Promise<MigrationDirectory> => ({
    path,
    migrationFile: {
      path: 'migration.sql',
      content: { tag: 'ok', value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
    },
  })
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.sort().map(read)),
  }
}

/** How long the lock is waited for without a word, in milliseconds. */
const quietWait = 1_000

interface MigrateOptions {
  migrationsDir?: string
  log?: Log | undefined
  /** Breaks off what is under way once it is aborted. */
  leaving?: AbortSignal | undefined
}

/**
 * Applies the migrations that the database does not have yet, as `prisma migrate deploy` does, in whose table it keeps
 * them. Each is a transaction of its own: it is there whole or, where it fails or the process dies, as if it had not
 * begun, and it holds no lock while the next one waits for another. An advisory lock makes instances that start at once
 * wait for one another. Migrations that the database has and the program does not know are left alone: an older version
 * may still run while a newer one has begun. Throws the reason of `leaving`.
 */
export async function migrate(
  databaseUrl: string,
  { migrationsDir = ownMigrations, log, leaving }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const pool = createPool({ connectionString: databaseUrl, max: 1 })
  // A connection that breaks fails the statement that is under way; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    leaving?.addEventListener('abort', () => void client.end(), { once: true })
  })
  const client = await pool.connect()
  try {
    const migrations = await readMigrations(migrationsDir)
    return { applied: await applyMissing(pool, client, migrations, log) }
  } catch (error) {
    leaving?.throwIfAborted()
    throw error
  } finally {
    // Ends what is not committed.
    client.release(true)
    await pool.end()
  }
}

async function applyMissing(pool: pg.Pool, client: pg.PoolClient, migrations: MigrationList, log: Log | undefined) {
  const { migrationDirectories } = migrations
  const known = await appliedBefore(client)
  const applied: string[] = []
  for (const [i, { path }] of migrationDirectories.entries()) {
    if (known.has(path)) continue
    await takeLock(client, log)
    const engine = await createSchemaEngine(askOnly(pool, client))
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: { ...migrations, migrationDirectories: migrationDirectories.slice(0, i + 1) },
      filters: { externalTables: [], externalEnums: [] },
    })
    await client.query('commit')
    for (const migration of appliedMigrationNames) log?.info({ migration }, 'migration applied')
    applied.push(...appliedMigrationNames)
  }
  return applied
}

/** The names of those that the database has; what another instance applies meanwhile is found by the engine. */
async function appliedBefore(client: pg.PoolClient): Promise<Set<string>> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return new Set()
  const { rows } = await client.query<{ migration_name: string }>(
    'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  )
  return new Set(rows.map(({ migration_name }) => migration_name))
}

/** Of the transaction, not of the session: behind a pooler of transactions that one would stay held. Waits without limit. */
async function takeLock(client: pg.PoolClient, log: Log | undefined): Promise<void> {
  const waiting = setTimeout(() => log?.info({}, "waiting for another instance's migrations"), quietWait)
  try {
    await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = 0;
      set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${lockId})`)
  } finally {
    clearTimeout(waiting)
  }
}

/**
 * The pool, which asks by this connection alone: it has the lock, and the transaction that the engine knows nothing of.
 *
 * The engine would lock for the session, and end that by closing its connection. A pooler of transactions keeps the connection,
 * and with it the lock: the next start would wait for ever. Ours is enough.
 */
function askOnly(pool: pg.Pool, client: pg.PoolClient): pg.Pool {
  const query: (...given: unknown[]) => unknown = client.query
  return Object.assign(pool, {
    query: (asked: unknown, ...rest: unknown[]) => Reflect.apply(query, client, [unlocked(asked), ...rest]),
  })
}

function unlocked(asked: unknown): unknown {
  if (typeof asked === 'string') return isEngineLock(asked) ? 'select 1' : asked
  if (typeof asked !== 'object' || asked === null || !('text' in asked)) return asked
  return isEngineLock(asked.text) ? { ...asked, text: 'select 1' } : asked
}

function isEngineLock(text: unknown): boolean {
  return typeof text === 'string' && /^\s*select pg_advisory_lock\(\d+\)/i.test(text)
}
