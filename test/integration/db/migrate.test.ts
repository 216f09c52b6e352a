import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate, readMigrations } from '../../../src/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'

async function emptyDatabase() {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return database
}

it('of instances that start at once, one applies each migration, and all find them applied', async () => {
  const database = await emptyDatabase()
  const names = (await readMigrations()).migrationDirectories.map(({ path }) => path)
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)))
  expect(applied.flatMap((each) => each.applied).sort()).toEqual(names)
  expect(await migrate(database.url)).toEqual({ applied: [] })
  await database.drop()
})
