import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { toAppError } from '../../../src/service/api/http/middleware/error-handler.ts'
import { createDatabase } from '../../../src/service/db/database.ts'
import { createTestDatabase } from '../../support/database.ts'
import { keptLog } from './scratch-postgres.ts'

/** Blocks every turn of the event loop for so many milliseconds until the work has ended. */
async function whileBusy<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let isRunning = true
  const result = work().finally(() => {
    isRunning = false
  })
  while (isRunning) {
    const end = performance.now() + ms
    while (performance.now() < end);
    await setImmediate()
  }
  return result
}

it('a process whose turns are long is not taken for a database that is away', async () => {
  const { url, drop } = await createTestDatabase()
  const { log, lines } = keptLog()
  const db = createDatabase(url, { log, poolSize: 2 })
  onTestFinished(async () => {
    await db.close()
    await drop()
  })
  const asked = await whileBusy(100, () => db.query<{ one: number }>('select 1 as one'))
  expect(asked.rows).toEqual([{ one: 1 }])
  await whileBusy(100, () => db.ping(60_000))
  expect(JSON.stringify(lines)).not.toMatch(/can not be reached|timed out/)
})

it('a wait for connections that others hold is called busy, and not away', async () => {
  const { url, drop } = await createTestDatabase()
  const db = createDatabase(url, { log: keptLog().log, poolSize: 1, connectionMs: 1_000 })
  onTestFinished(async () => {
    await db.close()
    await drop()
  })
  const client = await db.pool.connect()
  const refused = await db.query('select 1').catch((error: unknown) => toAppError(error))
  const transaction = await db
    .transaction((tx) => tx.repository.findFirst())
    .catch((error: unknown) => toAppError(error))
  client.release()
  for (const error of [refused, transaction])
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('busy') })
})
