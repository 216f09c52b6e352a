import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  isDatabaseUnavailable,
} from '../../../src/service/db/database.ts'
import { recordedPid } from '../../../src/service/db/embedded/orphan.ts'
import { migrate } from '../../../src/service/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { query } from '../../support/query.ts'
import { keptLog, startScratch, usedDirectory } from './scratch-postgres.ts'

/** Every way in which the service asks its database. */
const ways: Record<string, (db: Database) => Promise<unknown>> = {
  'a query of the pool': ({ pool }) => pool.query('select 1'),
  'a query of Prisma': ({ prisma }) => prisma.repository.findFirst(),
  'a raw query of Prisma': ({ prisma }) => prisma.$queryRaw`select 1`,
  'a transaction of Prisma': ({ prisma }) => prisma.$transaction((tx) => tx.repository.findFirst()),
  'a batch of Prisma': ({ prisma }) => prisma.$transaction([prisma.repository.findFirst()]),
}

function connect(url: string, poolSize = 4, options: Partial<DatabaseOptions> = {}): Database {
  const db = createDatabase(url, { log: keptLog().log, poolSize, ...options })
  onTestFinished(() => db.close().catch(() => {}))
  return db
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  )
}

function expectAway(errors: unknown[]): void {
  expect(errors.map((error) => [String(error), isDatabaseUnavailable(error)])).toEqual(
    errors.map((error) => [String(error), true]),
  )
}

describe('the database is unavailable', () => {
  it('when it is stopped, by SQL and by Prisma', async () => {
    const dataDir = await usedDirectory()
    const { url, stop } = await startScratch(dataDir)
    await migrate(url)
    const db = connect(url)
    for (const ask of Object.values(ways)) await ask(db)
    await stop()
    for (const ask of Object.values(ways)) {
      expectAway([await failure(ask(db)), await failure(ask(db))])
    }
  })

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'when it ends by %s in the middle of a query or a transaction',
    async (signal) => {
      const dataDir = await usedDirectory()
      const { log, lines } = keptLog()
      const { url } = await startScratch(dataDir, log)
      await migrate(url)
      const db = connect(url, 10)
      let inTransaction = () => {}
      const begun = new Promise<void>((resolve) => {
        inTransaction = resolve
      })
      let ended = () => {}
      const serverEnded = new Promise<void>((resolve) => {
        ended = resolve
      })
      const idle = db.transaction(
        async (tx) => {
          await tx.repository.findFirst()
          inTransaction()
          await serverEnded
          await tx.repository.findFirst()
        },
        { timeout: 60_000 },
      )
      const client = await db.pool.connect()
      await client.query('begin')
      const running = [
        idle,
        db.query('select pg_sleep(60)'),
        db.prisma.$queryRaw`select pg_sleep(60)::text`,
        db.transaction((tx) => tx.$queryRaw`select pg_sleep(60)::text`, { timeout: 60_000 }),
        serverEnded.then(() => client.query('select 1')),
      ].map(failure)
      await begun
      await expect
        .poll(
          async () =>
            (
              await query(
                url,
                `select from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
              )
            ).length,
        )
        .toBe(3)
      const pid = await recordedPid(join(dataDir, 'postgres'))
      process.kill(pid ?? Number.NaN, signal)
      await expect.poll(() => lines.join()).toContain('starting it again')
      ended()
      const errors = await Promise.all(running)
      client.release(true)
      expect(errors.map((error) => [String(error), isDatabaseUnavailable(error)])).toEqual(
        errors.map((error) => [String(error), true]),
      )
      await expect.poll(() => lines.join()).toContain('answers again')
      for (const ask of Object.values(ways))
        await expect
          .poll(() =>
            ask(db).then(
              () => 'answered',
              () => 'failed',
            ),
          )
          .toBe('answered')
    },
  )

  it('when it accepts no more connections', async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const name = new URL(database.url).pathname.slice(1)
    await query(database.url, `create role few_${name} login password 'few' connection limit 1`)
    const url = new URL(database.url)
    url.username = `few_${name}`
    url.password = 'few'
    const first = new pg.Client({ connectionString: url.href })
    await first.connect()
    onTestFinished(async () => {
      await first.end()
      await query(database.url, `drop role few_${name}`)
    })
    for (const ask of Object.values(ways)) expectAway([await failure(ask(connect(url.href)))])
  })

  it('when it is read-only, as after a failover', async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const name = new URL(database.url).pathname.slice(1)
    await query(database.url, `alter database ${name} set default_transaction_read_only = on`)
    const db = connect(database.url)
    const facts = { name: 'fact', value: 1, updated_at: new Date() }
    const writes: Record<string, () => Promise<unknown>> = {
      pool: () => db.query(`insert into service_facts (name, value, updated_at) values ('fact', '1', now())`),
      Prisma: () => db.prisma.serviceFact.create({ data: facts }),
      transaction: () => db.transaction((tx) => tx.serviceFact.create({ data: facts })),
    }
    for (const write of Object.values(writes)) expectAway([await failure(write())])
  })

  it('when every connection is in use for too long', async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const db = connect(database.url, 1, { connectionMs: 1_000 })
    const client = await db.pool.connect()
    const errors = await Promise.all(Object.values(ways).map((ask) => failure(ask(db))))
    client.release()
    expectAway(errors)
  })

  it.each(['no-such-host.invalid:5432', 'localhost:1', '127.0.0.1:1'])('when nothing listens at %s', async (host) => {
    const db = connect(`postgresql://u:p@${host}/d`)
    expectAway(await Promise.all(Object.values(ways).map((ask) => failure(ask(db)))))
  })
})

it('an error of a statement does not count as unavailable', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { pool, prisma } = connect(database.url)
  const facts = { name: 'fact', value: 1, updated_at: new Date() }
  await prisma.serviceFact.create({ data: facts })
  const wrong: (() => Promise<unknown>)[] = [
    () => pool.query('select nonsense'),
    () => pool.query(`insert into service_facts (name) values ('fact')`),
    () => prisma.serviceFact.create({ data: facts }),
    () => prisma.$queryRaw`select 1 / 0`,
    () => prisma.$transaction((tx) => tx.$executeRaw`select nonsense`),
  ]
  for (const work of wrong) {
    const error = await failure(work())
    expect([String(error), isDatabaseUnavailable(error)]).toEqual([String(error), false])
  }
})
