import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database, type DatabaseOptions } from '../../src/db/database.ts'
import { silentLog } from './log.ts'
import { connect } from './query.ts'

/** All test files of a worker share it: a new connection costs more than most statements. */
let admin: Promise<pg.Client> | undefined

async function administrate(sql: string): Promise<void> {
  admin ??= connect(inject('postgres').adminUrl)
  await (await admin).query(sql)
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

/** Opens a database, by default with the usual options. */
export function databaseAt(url: string, options: Partial<DatabaseOptions> = {}): Database {
  return createDatabase(url, { log: silentLog, ...options })
}
