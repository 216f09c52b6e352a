import { afterAll } from 'vitest'
import type { Database } from '../../src/service/db/database.ts'
import { takeEmptyDatabase } from './empty-database.ts'

/** A database for the tests of a file. It is given back after them. */
export async function openTestDatabase(): Promise<Database> {
  const { db, giveBack } = await takeEmptyDatabase()
  afterAll(giveBack)
  return db
}
