import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startClock } from '../../src/service/db/clock.ts'
import { isUnavailable } from '../../src/service/db/errors.ts'
import { migrate } from '../../src/service/db/migrate.ts'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { inTransaction } from '../../src/service/db/retry.ts'
import { createLog } from '../../src/service/log.ts'
import { createDatabase, createEmptyDatabase, hour, minute, query } from '../support/database.ts'
import { startDebianPostgres } from '../support/debian-postgres.ts'
import { githubServerUrl } from '../support/github.ts'
import { clientOf, startTestService, work } from '../support/service.ts'

const log = createLog({ logLevel: 'silent', isOnTerminal: false })

/** A database with all tables, and the service's way to it. */
async function database() {
  const { url, drop } = await createDatabase()
  const opened = openDatabase(url)
  onTestFinished(async () => {
    await opened.prisma.$disconnect()
    await drop()
  })
  return { url, ...opened }
}

describe('§15 sessions', () => {
  it('are in UTC and without JIT, whatever the server says', async () => {
    const { url, prisma, pool } = await database()
    const show = `select current_setting('TimeZone') zone, current_setting('DateStyle') style, current_setting('jit') jit`
    const ours = [{ zone: 'UTC', style: 'ISO, MDY', jit: 'off' }]
    expect((await pool.query(show)).rows).toEqual(ours)
    expect(await prisma.$queryRawUnsafe(show)).toEqual(ours)
    const name = new URL(url).pathname.slice(1)
    await query(url, `alter database ${name} set timezone = 'Asia/Tokyo'`)
    expect((await query<{ zone: string }>(url, show))[0]?.zone).toBe('UTC')
  })

  it.each(['0001-01-01T00:00:00.000Z', '2026-03-08T07:30:00.001Z', '9999-12-31T23:59:59.999Z'])(
    'write and read %s as one instant, by Prisma and by SQL',
    async (text) => {
      const { prisma, pool } = await database()
      const next_at = new Date(text)
      await prisma.job.create({ data: { name: 'a', next_at } })
      await pool.query('insert into jobs (name, next_at) values ($1, $2)', ['b', next_at])
      await prisma.$executeRaw`insert into jobs (name, next_at) values ('c', ${next_at})`
      const { rows } = await pool.query('select next_at, extract(epoch from next_at)::float8 * 1000 as ms from jobs')
      expect(rows).toEqual(Array(3).fill({ next_at, ms: next_at.getTime() }))
      expect(await prisma.job.count({ where: { next_at } })).toBe(3)
    },
  )
})

describe('§4 the clock', () => {
  afterEach(() => void vi.useRealTimers())

  it('is the database’s, read at the start and every minute, whatever that of this machine says', async () => {
    const { pool } = await database()
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() + hour })
    const clock = await startClock(pool, log)
    onTestFinished(() => clock.stop())
    const msAway = async () => {
      const { rows } = await pool.query<{ ms: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      )
      return Math.abs(clock.now().getTime() - (rows[0]?.ms ?? 0))
    }
    expect(await msAway()).toBeLessThan(minute)
    // That of this machine is set back, and a minute later the service knows.
    vi.setSystemTime(Date.now() - 2 * hour)
    expect(await msAway()).toBeGreaterThan(hour)
    vi.advanceTimersByTime(minute)
    await expect.poll(msAway).toBeLessThan(minute)
  })

  it('is that of writes and answers', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * hour })
    const service = await startTestService()
    onTestFinished(() => service.stop())
    const { body } = await clientOf(service).post('/activity', work)
    const [row] = await query<{ away: number }>(
      service.databaseUrl,
      'select abs(extract(epoch from created_at - now()))::float8 as away from activities where id = $1',
      [body.activity.id],
    )
    expect(row?.away).toBeLessThan(60)
    expect(Date.parse(body.activity.created_at)).toBeLessThan(Date.now() - 29 * hour)
  })
})

describe('§15 migrations', () => {
  it('are applied once by instances that start together, and are known to Prisma', async () => {
    const { url, drop } = await createEmptyDatabase()
    onTestFinished(drop)
    await Promise.all(Array.from({ length: 4 }, () => migrate(url, githubServerUrl, log)))
    const names = (await readdir('prisma/migrations')).filter((name) => !name.includes('.'))
    const rows = await query<{ name: string }>(
      url,
      'select migration_name as name from _prisma_migrations where finished_at is not null order by 1',
    )
    expect(rows.map(({ name }) => name)).toEqual(names.sort())
  })

  it('refuse a database of another GitHub server, and one with tables of another program', async () => {
    const { url } = await database()
    await migrate(url, githubServerUrl, log)
    await expect(migrate(url, 'https://github.example.com', log)).rejects.toThrow('belongs to https://github.com')
    const other = await createEmptyDatabase()
    onTestFinished(other.drop)
    await query(other.url, 'create table theirs (id integer)')
    await expect(migrate(other.url, githubServerUrl, log)).rejects.toThrow('tables of another program')
    expect(await query(other.url, `select to_regclass('activities') as ours`)).toEqual([{ ours: null }])
  })

  it('do not wait for a database that takes connections and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { port } = silent.address() as AddressInfo
    const failed = migrate(`postgresql://a:b@127.0.0.1:${port}/c`, githubServerUrl, log).catch(
      (error: unknown) => error,
    )
    const [connection] = await once(silent, 'connection')
    vi.advanceTimersByTime(30_000)
    expect(isUnavailable(await failed)).toBe(true)
    connection.destroy()
  })

  it('are what the schema says: `npm run migration` changes nothing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'headsup-migration-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const file = join(directory, 'migration.sql')
    await promisify(execFile)(process.execPath, ['scripts/write-migration.mjs', file])
    expect(await readFile('prisma/migrations/0001_init/migration.sql', 'utf8')).toBe(await readFile(file, 'utf8'))
  })

  it('§16 begin every key with the repository, distribute every table, and make no trigger', async () => {
    const { url } = await database()
    const ofNone = ['_prisma_migrations', 'facts', 'jobs']
    const keys = await query<{ table: string; first: string }>(
      url,
      `select relname as table, attname as first from pg_attribute join pg_class on pg_class.oid = attrelid join (
         select indrelid as key_of, indkey[0] as column_of from pg_index where indisunique
         union all select conrelid, conkey[1] from pg_constraint where contype = 'f') as keys
           on attrelid = key_of and attnum = column_of
        where relnamespace = 'public'::regnamespace`,
    )
    const distributed = keys.filter(({ table }) => !ofNone.includes(table))
    expect(distributed.filter(({ first }) => first !== 'repository_id')).toEqual([])
    const named = (await readFile('deploy/citus.sql', 'utf8')).matchAll(/create_distributed_table\('(\w+)'/g)
    expect([...named].map(([, table]) => table).sort()).toEqual(
      [...new Set(distributed.map(({ table }) => table))].sort(),
    )
    expect(await query(url, 'select tgname from pg_trigger where not tgisinternal')).toEqual([])
  })

  it('sort ids and paths by bytes, whatever language the database is in', async () => {
    const { url } = await database()
    const columns = await query<{ name: string }>(
      url,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and collation_name = 'C' order by 1`,
    )
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'activities.id',
        'changed_files.path',
        'notables.id',
        'places.activity_id',
        'places.key',
      ]),
    )
  })

  it.runIf(existsSync('/usr/lib/postgresql'))(
    'apply on the PostgreSQL of Debian, and the service works there',
    async () => {
      const postgres = await startDebianPostgres()
      onTestFinished(postgres.stop)
      const service = await startTestService({ DATABASE_URL: postgres.url })
      onTestFinished(() => service.stop())
      const client = clientOf(service)
      const created = await client.post('/activity', { ...work, scope: { paths: ['src/**'] } })
      expect(created.status).toBe(201)
      expect((await client.post(`/activity/${created.body.activity.id}/heartbeat`)).status).toBe(200)
      expect((await client.get('/activity')).body.items).toHaveLength(1)
    },
  )
})

describe('a deadlock', () => {
  it('is retried, and nothing is done twice', async () => {
    const { prisma, url } = await database()
    await prisma.job.createMany({ data: ['a', 'b'].map((name) => ({ name, next_at: new Date(0) })) })
    const hold = new Set<string>()
    const add = (first: string, second: string) =>
      inTransaction(prisma, async (tx) => {
        const move = (name: string) =>
          tx.$executeRaw`update jobs set next_at = next_at + interval '1 second' where name = ${name}`
        await move(first)
        hold.add(first)
        // Each has its first row before one asks for its second.
        await vi.waitUntil(() => hold.size === 2)
        await move(second)
      })
    await Promise.all([add('a', 'b'), add('b', 'a')])
    const rows = await query(url, 'select extract(epoch from next_at)::integer as moved from jobs')
    expect(rows).toEqual([{ moved: 2 }, { moved: 2 }])
  })

  it('and a lost connection mean that the database can not be used for now; a wrong statement does not', async () => {
    const nowhere = openDatabase('postgresql://a:b@127.0.0.1:1/c')
    const { prisma } = await database()
    const failures = [nowhere.prisma.job.count(), nowhere.pool.query('select'), prisma.$queryRaw`select nonsense`]
    const errors = await Promise.all(failures.map((one) => Promise.resolve(one).catch((error: unknown) => error)))
    expect(errors.map(isUnavailable)).toEqual([true, true, false])
    await nowhere.prisma.$disconnect()
  })
})
