import { expect, it, type TestContext } from 'vitest'
import { type Database, isDatabaseUnavailable } from '../../../src/db/database.ts'
import { startTcpProxy } from '../../faults/stage/tcp-proxy.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { connect, query } from '../../support/query.ts'

/** Long enough for whatever is not made to wait. */
const statementMs = 1_000

// All tests run at the same time, since they wait most of the time. So each polls with its own `expect`: the global one does not
// know which test calls.

/** A database behind an address that can fall silent. */
async function start({ onTestFinished }: TestContext, poolSize: number, limitMs = statementMs) {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const direct = new URL(database.url)
  const address = await startTcpProxy(Number(direct.port))
  onTestFinished(() => address.stop())
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const db = databaseAt(url.href, { poolSize, statementMs: limitMs })
  onTestFinished(() => db.close())
  return { db, address, direct: database.url }
}

async function lockFacts({ onTestFinished }: TestContext, url: string) {
  const lock = await connect(url)
  onTestFinished(() => lock.end())
  await lock.query('begin; lock table service_facts')
  return lock
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
  expect(await query(direct, 'select name from service_facts')).toEqual([{ name: 'acknowledged' }])
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

/** Longer than the test. */
const never = 600_000

it.concurrent('if the server becomes silent, all statements fail without waiting for their time limit, and the next ones work', async (test) => {
  const { db, address } = await start(test, 4, never)
  await db.ping(10_000)
  const open = db.transaction(
    async (tx) => {
      await tx.serviceFact.create({ data: { name: 'half', value: 1, updated_at: new Date() } })
      address.silence()
      await tx.serviceFact.create({ data: { name: 'other half', value: 1, updated_at: new Date() } })
    },
    { timeout: never },
  )
  const errors = await Promise.all([open, db.query('select pg_sleep(600)')].map((work) => work.catch((error) => error)))
  expect(errors.map(isDatabaseUnavailable)).toEqual([true, true])
  await note(db, 'acknowledged')
})

it.concurrent('if the server becomes silent after a write that it refused, all statements fail without waiting for their time limit', async (test) => {
  const { db, address } = await start(test, 1, never)
  await db.query(`do $$ begin raise exception 'read-only' using errcode = '25006'; end $$`).catch(() => {})
  // The first ping of a connection writes, and the next one reads.
  await db.ping(10_000)
  address.silence()
  const error = await db.query('select pg_sleep(600)').catch((error: unknown) => error)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

it.concurrent('a statement that waits for a lock is not cancelled while pings that write wait for the lock too', async (test) => {
  const { db, direct } = await start(test, 1, never)
  await db.ping(10_000)
  await db.query(`do $$ begin raise exception 'read-only' using errcode = '25006'; end $$`).catch(() => {})
  const lock = await lockFacts(test, direct)
  let outcome: string | undefined
  const waiting = note(db, 'waited').then(
    () => (outcome = 'done'),
    (error: unknown) => (outcome = String(error)),
  )
  // The second one is sent once the first one has timed out. Its connection stays until the lock is free.
  const pings = `select count(*)::integer as count from pg_stat_activity
    where query like 'insert into service_facts%write_check%' and datname = current_database()`
  const isPingedAgain = async () => Number((await query(direct, pings))[0]?.count) > 1
  await test.expect.poll(async () => outcome !== undefined || (await isPingedAgain()), { timeout: 30_000 }).toBe(true)
  expect(outcome).toBeUndefined()
  await lock.query('rollback')
  expect(await waiting).toBe('done')
})

it.concurrent('a statement that waits for a lock is not cancelled while the server answers pings', async (test) => {
  const { db, direct } = await start(test, 1, never)
  const lock = await lockFacts(test, direct)
  const waiting = note(db, 'waited')
  const pingedAt = async () => {
    const pings = `select query_start::text as at from pg_stat_activity where query like 'select pg_backend_pid%' and datname = current_database()`
    return (await query(direct, pings))[0]?.at
  }
  const pings = new Set<unknown>()
  await test.expect.poll(async () => pings.add(await pingedAt()).size, { timeout: 30_000 }).toBeGreaterThan(5)
  await lock.query('rollback')
  expect((await waiting).rowCount).toBe(1)
})
