import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationDirectory, MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { createSchemaEngine } from './schema-engine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ownMigrations = join(root, 'prisma/migrations')

/** Any number that no other program on the database is likely to lock. */
const lockId = 4_861_730_001

/** Of the transaction, not of the session: behind a pooler of transactions that one would stay held. Waits without limit. */
const takeLock = `begin; set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${lockId})`

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

/**
 * Applies the migrations that the database does not have yet, as `prisma migrate deploy` does, in whose table it keeps
 * them: all of them or, where one fails or the process dies, none, as if it had not begun. An advisory lock makes instances
 * that start at once wait for one another. Migrations that the database has and the program does not know are left alone:
 * an older version may still run while a newer one has begun.
 */
export async function migrate(
  databaseUrl: string,
  { migrationsDir = ownMigrations } = {},
): Promise<{ applied: string[] }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // A connection that breaks fails the statement that is under way; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const client = await pool.connect()
  try {
    await client.query(takeLock)
    const engine = await createSchemaEngine(askOnly(pool, client))
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(migrationsDir),
      filters: { externalTables: [], externalEnums: [] },
    })
    await client.query('commit')
    return { applied: appliedMigrationNames }
  } finally {
    // Ends what is not committed.
    client.release(true)
    await pool.end()
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
