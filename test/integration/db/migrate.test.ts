import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { StoppedError } from '../../../src/core/errors.ts'
import { migrate, migrationNames } from '../../../src/service/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connect, query } from '../../support/query.ts'
import { scratch } from '../../support/scratch.ts'
import { keptLog } from './scratch-postgres.ts'

async function emptyDatabase() {
  const database = await createTestDatabase()
  const client = await connect(database.url)
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return database
}

it('of instances that start concurrently, one applies each migration, and all find them applied', async () => {
  const database = await emptyDatabase()
  const names = await migrationNames()
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)))
  expect(applied.flatMap((each) => each.applied).sort()).toEqual(names)
  expect(await migrate(database.url)).toEqual({ applied: [] })
  await database.drop()
})

/** A database without a table, and a directory of migrations that the test writes. */
async function versions() {
  const database = await emptyDatabase()
  onTestFinished(database.drop)
  const migrationsDir = await scratch()
  return {
    url: database.url,
    async add(name: string, sql: string) {
      await mkdir(join(migrationsDir, name), { recursive: true })
      await writeFile(join(migrationsDir, name, 'migration.sql'), sql)
    },
    remove: (name: string) => rm(join(migrationsDir, name), { recursive: true }),
    migrate: (options: Pick<NonNullable<Parameters<typeof migrate>[1]>, 'log' | 'signal'> = {}) =>
      migrate(database.url, { migrationsDir, ...options }),
  }
}

it('applies new migrations once, in the order of their names', async () => {
  const { url, add, migrate } = await versions()
  await add('0002_second', 'create table second as select * from first')
  await add('0001_first', 'create table first (id integer)')
  expect(await migrate()).toEqual({ applied: ['0001_first', '0002_second'] })
  await add('0003_third', 'create table third as select * from second')
  expect(await migrate()).toEqual({ applied: ['0003_third'] })
  expect(await migrate()).toEqual({ applied: [] })
  const rows = await query(
    url,
    'select migration_name from _prisma_migrations where finished_at is not null order by 1',
  )
  expect(rows.map((row) => row.migration_name)).toEqual(['0001_first', '0002_second', '0003_third'])
})

it('lets an older version start on the schema of a newer one', async () => {
  const { add, remove, migrate } = await versions()
  await add('0001_first', 'create table first (id integer)')
  await add('0002_newer', 'create table newer (id integer)')
  await migrate()
  await remove('0002_newer')
  expect(await migrate()).toEqual({ applied: [] })
})

it('lets no version start on a database that needs a newer one, and changes nothing', async () => {
  const { url, add, migrate } = await versions()
  await add('0001_first', 'create table service_facts (name text primary key, value jsonb)')
  await migrate()
  await query(url, `insert into service_facts values ('least_version', '"99.1.0"')`)
  await add('0002_second', 'create table second (id integer)')
  await expect(migrate()).rejects.toThrow(/^The database needs Headsup 99\.1\.0 or newer, and this is \d+\.\d+\.\d+: /)
  expect(await query(url, `select to_regclass('second') as found`)).toEqual([{ found: null }])
})

it('holds no lock after it has succeeded or failed', async () => {
  const { url, add, migrate } = await versions()
  // Of this database: other tests migrate theirs at the same time.
  const ours = `database = (select oid from pg_database where datname = current_database())`
  const held = () => query(url, `select objid::text from pg_locks where locktype = 'advisory' and ${ours}`)
  await add('0001_first', 'create table first (id integer)')
  await migrate()
  expect(await held()).toEqual([])
  await add('0002_wrong', 'create table second (id nonsense)')
  await expect(migrate()).rejects.toThrow(/nonsense/)
  expect(await held()).toEqual([])
})

it("does not wait for the session lock of Prisma's engine, which a pooler in transaction mode would keep", async () => {
  const database = await createTestDatabase()
  const held = await connect(database.url)
  onTestFinished(async () => {
    await held.end()
    await database.drop()
  })
  // The number that Prisma locks, for the session.
  await held.query('select pg_advisory_lock(72707369)')
  expect(await migrate(database.url)).toEqual({ applied: [] })
})

it('rolls back a migration that fails, so that the older version starts, and applies it after a correction', async () => {
  const { url, add, remove, migrate } = await versions()
  await add('0001_first', 'create table first (id integer)')
  await migrate()
  await add('0002_second', 'create table second (id integer)')
  await add('0003_wrong', 'create table third (id integer); alter table first add column size integer; select 1 / 0')
  await expect(migrate()).rejects.toThrow(/division by zero/)
  expect(await query(url, `select to_regclass('second') as second, to_regclass('third') as third`)).toEqual([
    { second: 'second', third: null },
  ])
  await add('0003_wrong', 'create table third (id integer); alter table first add column size integer')
  expect(await migrate()).toEqual({ applied: ['0003_wrong'] })
  await remove('0003_wrong')
  expect(await migrate()).toEqual({ applied: [] })
})

it('holds no lock of one migration while the next one waits', async () => {
  const { url, add, migrate } = await versions()
  await add('0001_first', 'create table first (id integer); create table second (id integer)')
  await migrate()
  await add('0002_first', 'alter table first add column size integer')
  await add('0003_second', 'alter table second add column size integer')
  const check = await connect(url)
  onTestFinished(() => check.end())
  await check.query('begin')
  await check.query('select from second')
  const migrated = migrate()
  const waiting = `select 1 from pg_locks where relation = 'second'::regclass and not granted`
  await expect.poll(() => query(url, waiting)).toHaveLength(1)
  await check.query('select from first')
  await check.query('commit')
  expect(await migrated).toEqual({ applied: ['0002_first', '0003_second'] })
})

it('logs that it waits for another instance, and stops on a signal', async () => {
  const { url, add, migrate } = await versions()
  await add('0001_first', 'create table first (id integer)')
  const other = await connect(url)
  onTestFinished(() => other.end())
  await other.query('begin; select pg_advisory_xact_lock(4861730001)')
  const signal = new AbortController()
  const { log, lines } = keptLog()
  const migrated = expect(migrate({ log, signal: signal.signal })).rejects.toThrow('The start was interrupted.')
  await expect.poll(() => lines.join()).toContain("waiting for another instance's migrations")
  signal.abort(new StoppedError())
  await migrated
  await other.query('rollback')
  expect(await migrate({ log })).toEqual({ applied: ['0001_first'] })
  expect(lines.join()).toContain('migration applied')
})

it('leaves nothing of a migration if its connection breaks', async () => {
  const { url, add, migrate } = await versions()
  await add('0001_first', 'create table first (id integer); select pg_sleep(20)')
  const migrated = expect(migrate()).rejects.toThrow()
  const sleeping = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`
  await expect.poll(() => query(url, sleeping)).toHaveLength(1)
  await migrated
  await add('0001_first', 'create table first (id integer)')
  expect(await migrate()).toEqual({ applied: ['0001_first'] })
})

it('accepts semicolons in texts and function bodies', async () => {
  const { url, add, migrate } = await versions()
  await add(
    '0001_first',
    `create table first as select 'a;b' as text; do $$ begin insert into first values ('c'); end $$;`,
  )
  await migrate()
  expect(await query(url, 'select text from first order by 1')).toEqual([{ text: 'a;b' }, { text: 'c' }])
})

it('rejects a database that has tables of another program', async () => {
  const { url, add, migrate } = await versions()
  await query(url, 'create table theirs (id integer)')
  await add('0001_first', 'create table first (id integer)')
  await expect(migrate()).rejects.toThrow('has tables of another program')
  expect(await query(url, `select to_regclass('first') as first`)).toEqual([{ first: null }])
})

it('rejects a database on which `prisma migrate` failed', async () => {
  const { url, add, migrate } = await versions()
  await add('0001_first', 'create table first (id integer)')
  await migrate()
  await query(url, 'update _prisma_migrations set finished_at = null')
  await expect(migrate()).rejects.toThrow('the migration 0001_first failed before')
})
