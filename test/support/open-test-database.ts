import { afterAll } from 'vitest'
import { createDatabase, type Database } from '../../src/db/database.ts'
import { createTestDatabase } from './database.ts'
import { silentLog } from './log.ts'

/** A database for the tests of a file. It is closed and dropped after them. */
export async function openTestDatabase(): Promise<Database> {
  const { url, drop } = await createTestDatabase()
  const db = createDatabase(url, { log: silentLog })
  afterAll(async () => {
    await db.close()
    await drop()
  })
  return db
}
