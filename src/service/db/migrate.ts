import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../core/errors.ts'
import type { Log } from '../log.ts'
import { UtcClient } from './prisma.ts'

const directory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

/** Any number that no other program on the database is likely to lock. */
const lockId = 4_861_730_001

/** The table of `prisma migrate`, so that its commands work on the database too. */
const createHistory = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0)`

const insertStep = `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  values ($1, $2, $3, clock_timestamp(), 1)`

/**
 * Applies what the database does not have yet, in one transaction under one lock: instances that start together wait for each other,
 * and a failed one leaves nothing. Throws a `StartError` where the tables are of another program.
 */
export async function migrate(databaseUrl: string, serverUrl: string, log: Log): Promise<void> {
  const client = new UtcClient({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.query(`begin; select pg_advisory_xact_lock(${lockId})`)
    const applied = await appliedMigrations(client)
    for (const name of (await readdir(directory)).sort()) {
      if (applied.has(name) || name.includes('.')) continue
      const sql = await readFile(`${directory}/${name}/migration.sql`, 'utf8')
      await client.query(sql)
      await client.query(insertStep, [randomUUID(), createHash('sha256').update(sql).digest('hex'), name])
      log.info({ migration: name }, 'migration applied')
    }
    await belongsTo(client, serverUrl)
    await client.query('commit')
  } finally {
    // Rolls back what is not committed.
    await client.end().catch(() => {})
  }
}

async function appliedMigrations(client: UtcClient): Promise<Set<string>> {
  const { rows } = await client.query<{ has_history: boolean; has_tables: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as has_history, exists (
       select from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE') as has_tables`,
  )
  if (rows[0]?.has_tables && !rows[0].has_history)
    throw new StartError('the database of DATABASE_URL has tables of another program')
  await client.query(createHistory)
  const history = await client.query<{ migration_name: string }>('select migration_name from _prisma_migrations')
  return new Set(history.rows.map(({ migration_name }) => migration_name))
}

/** Ids of repositories are those of one GitHub. */
async function belongsTo(client: UtcClient, serverUrl: string): Promise<void> {
  await client.query(
    `insert into facts (name, value) values ('github_server_url', to_jsonb($1::text)) on conflict do nothing`,
    [serverUrl],
  )
  const { rows } = await client.query<{ url: string }>(
    `select value #>> '{}' as url from facts where name = 'github_server_url'`,
  )
  if (rows[0]?.url !== serverUrl) throw new StartError(`the database belongs to ${rows[0]?.url} (GITHUB_SERVER_URL)`)
}
