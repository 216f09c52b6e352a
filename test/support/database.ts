import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of its own, cloned from the template that has the migrations applied. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`) }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
