import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../core/errors.ts'
import type { Log } from '../lib/log.ts'
import { UtcClient } from './connect.ts'
import { fromFormerMigrations, hasFormerMigrations } from './former-migrations.ts'
import { leastVersionSql, tooOldReason } from './least-version.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ownMigrations = join(root, 'prisma/migrations')

/** Any number that no other program on the database is likely to lock. */
const lockId = 4_861_730_001

/** How long to wait for the lock before the wait is logged, in milliseconds. */
const quietWaitMs = 1_000

/** The table of `prisma migrate`, so that its commands work on the database too. */
const createHistory = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0)`

interface MigrateOptions {
  migrationsDir?: string
  log?: Log | undefined
  /** Stops the migration when it is aborted. */
  signal?: AbortSignal | undefined
}

/** The names of the migrations in a directory, in their order. */
export async function migrationNames(directory = ownMigrations): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/**
 * Applies the migrations that the database does not have yet, and records them as `prisma migrate deploy` does. Each is one
 * transaction: if it fails or the process dies, it is rolled back, and it holds no lock while the next one waits. An advisory
 * lock makes instances that start at the same time wait for each other. Migrations that only the database knows are ignored: a
 * newer version applied them. Throws `StartError` where the database needs a newer version than this, and the reason of `signal`.
 */
export async function migrate(
  databaseUrl: string,
  { migrationsDir = ownMigrations, log, signal }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const client = new UtcClient({ connectionString: databaseUrl })
  // If the connection breaks, the pending statement fails. Without a listener the process would end.
  client.on('error', () => {})
  const stop = () => void client.end()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    return { applied: await applyMissing(client, migrationsDir, log) }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    // Rolls back what is not committed.
    await client.end().catch(() => {})
  }
}

async function applyMissing(client: UtcClient, directory: string, log: Log | undefined): Promise<string[]> {
  const before = await appliedMigrations(client)
  await assertNotTooOld(client)
  const applied: string[] = []
  for (const name of await migrationNames(directory)) {
    if (before.has(name)) continue
    await beginWithLock(client, log)
    const now = await appliedMigrations(client)
    // Another instance may have applied it while this one waited.
    if (!now.has(name)) {
      const text = await readFile(join(directory, name, 'migration.sql'), 'utf8')
      await apply(client, name, text, hasFormerMigrations(now) ? fromFormerMigrations(text) : text)
      applied.push(name)
    }
    await client.query('commit')
    if (applied.at(-1) === name) log?.info({ migration: name }, 'migration applied')
  }
  return applied
}

async function assertNotTooOld(client: UtcClient): Promise<void> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('service_facts')`)
  const { rows } = tables.length === 0 ? { rows: [] } : await client.query<{ version: string }>(leastVersionSql)
  const refusal = tooOldReason(rows[0]?.version)
  if (refusal !== undefined) throw new StartError(refusal)
}

async function appliedMigrations(client: UtcClient): Promise<Set<string>> {
  const { rows } = await client.query<{ hasHistory: boolean; hasTables: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as "hasHistory",
            exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
              and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')) as "hasTables"`,
  )
  if (rows[0]?.hasHistory !== true) {
    if (rows[0]?.hasTables) throw new StartError('the database of DATABASE_URL has tables of another program')
    return new Set()
  }
  const history = await client.query<{ migration_name: string; finished_at: Date | null }>(
    'select migration_name, finished_at from _prisma_migrations where rolled_back_at is null',
  )
  const failed = history.rows.find(({ finished_at }) => finished_at === null)
  if (failed) throw new StartError(`the migration ${failed.migration_name} failed before: see "prisma migrate resolve"`)
  return new Set(history.rows.map(({ migration_name }) => migration_name))
}

async function apply(client: UtcClient, name: string, text: string, sql: string): Promise<void> {
  await client.query(createHistory)
  const startedAt = new Date()
  await client.query(sql)
  const checksum = createHash('sha256').update(text).digest('hex')
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  )
}

/** The lock belongs to the transaction: a pooler in transaction mode would keep a lock of the session. Waits without limit. */
async function beginWithLock(client: UtcClient, log: Log | undefined): Promise<void> {
  const waiting = setTimeout(() => log?.info({}, "waiting for another instance's migrations"), quietWaitMs)
  try {
    await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = 0;
      set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(${lockId})`)
  } finally {
    clearTimeout(waiting)
  }
}
