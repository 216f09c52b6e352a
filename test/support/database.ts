import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/service/db/migrate.ts'
import { UtcClient } from '../../src/service/db/prisma.ts'
import { createLog } from '../../src/service/log.ts'
import { githubServerUrl } from './github.ts'

interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A new database with all tables and no rows. */
export async function createDatabase(): Promise<TestDatabase> {
  const { template } = inject('postgres')
  const database = await createEmptyDatabase(template ?? 'template1')
  if (template === null) await makeTables(database.url)
  return database
}

/** A new database without a table. */
export async function createEmptyDatabase(template = 'template0'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const postgres = inject('postgres')
  const url = new URL(postgres.adminUrl)
  url.pathname = `/${name}`
  // Faster for a small template; PostgreSQL 14 does not know it.
  const strategy = postgres.template === null ? '' : 'strategy file_copy'
  await administrate(`create database ${name} template ${template} ${strategy}`)
  return { url: url.href, drop: () => administrate(`drop database if exists ${name} with (force)`) }
}

/** On a server of somebody else: `TEST_DATABASE_SETUP` is a file of SQL to run after the migrations. */
async function makeTables(url: string): Promise<void> {
  await migrate(url, githubServerUrl, createLog({ logLevel: 'silent', isOnTerminal: false }))
  const { TEST_DATABASE_SETUP } = process.env
  if (TEST_DATABASE_SETUP) await administrate(await readFile(TEST_DATABASE_SETUP, 'utf8'), url)
}

async function administrate(sql: string, url = inject('postgres').adminUrl): Promise<void> {
  const client = new UtcClient({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Rows of a database, with its times as dates. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const client = new UtcClient({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const times = {
  activities: ['created_at', 'began_at', 'updated_at', 'heartbeat_at', 'expires_at', 'archived_at', 'ended_at'],
  notables: ['created_at', 'updated_at', 'expires_at', 'archived_at'],
}

/** Makes a record older by so many milliseconds: no test waits for an expiry. */
export async function age(url: string, id: string, ms: number): Promise<void> {
  const table = id.startsWith('act_') ? 'activities' : 'notables'
  const older = times[table].map((column) => `${column} = ${column} - $2 * interval '1 millisecond'`)
  await query(url, `update ${table} set ${older.join(', ')} where id = $1`, [id, ms])
}

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
