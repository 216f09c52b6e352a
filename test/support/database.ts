import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { query } from './query.ts'

/** Creates a database from the template with the migrations, with these PostgreSQL settings as its defaults. */
export async function createTestDatabase(
  settings: Record<string, string> = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  for (const [setting, value] of Object.entries(settings)) {
    await query(adminUrl, `alter database ${name} set ${setting} = '${value}'`)
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => void (await query(adminUrl, `drop database if exists ${name} with (force)`)),
  }
}
