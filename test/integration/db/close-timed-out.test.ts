import { expect, it, type TestContext } from 'vitest'
import { type Database, isDatabaseUnavailable } from '../../../src/service/db/database.ts'
import { startTcpProxy } from '../../faults/stage/tcp-proxy.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { query } from '../../support/query.ts'

/** Long enough for whatever is not made to wait. */
const statementMs = 1_000

// All tests run at the same time, since they wait most of the time. So each polls with its own `expect`: the global one does not
// know which test calls.

/** A database behind an address that can fall silent. */
async function start({ onTestFinished }: TestContext, poolSize: number) {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const direct = new URL(database.url)
  const address = await startTcpProxy(Number(direct.port))
  onTestFinished(() => address.stop())
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const db = databaseAt(url.href, { poolSize, statementMs })
  onTestFinished(() => db.close())
  return { db, address, direct: database.url }
}

const note = ({ pool }: Pick<Database, 'pool'>, name: string) =>
  pool.query(`insert into service_facts (name, value, updated_at) values ($1, '1', now())`, [name])

it.concurrent('the connection of a transaction that timed out is not used again', async (test) => {
  const { db, direct } = await start(test, 1)
  const given = db.transaction(
    async (tx) => {
      await tx.serviceFact.create({ data: { name: 'half', value: 1, updated_at: new Date() } })
      // Ends after the time for this statement and that for its ROLLBACK are over.
      await tx.$queryRaw`select pg_sleep(${(2.5 * statementMs) / 1_000})::text`
    },
    { timeout: 60_000 },
  )
  expect(isDatabaseUnavailable(await given.catch((error: unknown) => error))).toBe(true)
  await note(db, 'acknowledged')
  const noted = `select name from service_facts where name <> 'least_version'`
  expect(await query(direct, noted)).toEqual([{ name: 'acknowledged' }])
})

it.concurrent('if the server becomes silent, one statement times out, not one for each connection', async (test) => {
  const { db, address } = await start(test, 4)
  await Promise.all(Array.from({ length: 4 }, () => db.query('select pg_sleep(0.1)')))
  expect(db.pool.idleCount).toBe(4)
  address.silence()
  expect(isDatabaseUnavailable(await note(db, 'lost').catch((error: unknown) => error))).toBe(true)
  for (const name of ['first', 'second', 'third', 'fourth']) await note(db, name)
})

it.concurrent('if the server becomes silent, a ping times out, and the next one reconnects', async (test) => {
  const { db, address } = await start(test, 1)
  await db.ping(10_000)
  address.silence()
  await expect(db.ping(10_000)).rejects.toThrow('Query read timeout')
  await db.ping(10_000)
})
