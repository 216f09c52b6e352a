import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createPool, parseTexts } from '../../../src/service/db/connect.ts'
import type { Database } from '../../../src/service/db/database.ts'
import { migrate } from '../../../src/service/db/migrate.ts'
import { waitForDatabase } from '../../../src/service/db/wait-for-database.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { query } from '../../support/query.ts'

const showSession = `select current_setting('TimeZone') as "TimeZone", current_setting('DateStyle') as "DateStyle"`

describe('for a role and a database that set a time zone and a date style', () => {
  const role = `role_${randomBytes(4).toString('hex')}`
  const { adminUrl } = inject('postgres')
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let url: string
  let db: Database

  beforeAll(async () => {
    database = await createTestDatabase({ TimeZone: 'Asia/Tokyo', DateStyle: 'German' })
    const address = new URL(database.url)
    await query(adminUrl, `create role ${role} superuser login password 'secret'`)
    await query(adminUrl, `alter role ${role} set timezone = 'America/New_York'`)
    await query(adminUrl, `alter role ${role} in database ${address.pathname.slice(1)} set datestyle = 'SQL, DMY'`)
    Object.assign(address, { username: role, password: 'secret' })
    url = address.href
    db = databaseAt(url)
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
    await query(adminUrl, `drop role ${role}`)
  })

  it('every session is in UTC with ISO dates, and the server spells both as we do', async () => {
    expect(await query(url, showSession)).toEqual([{ TimeZone: 'America/New_York', DateStyle: 'SQL, DMY' }])
    const sessions = [{ TimeZone: 'UTC', DateStyle: 'ISO, MDY' }]
    expect((await db.query(showSession)).rows).toEqual(sessions)
    expect(await db.prisma.$queryRawUnsafe(showSession)).toEqual(sessions)
    const client = await db.pool.connect()
    expect(client.getStartupConf()).toMatchObject(sessions[0] ?? {})
    client.release()
  })

  it.each([
    '0001-01-01T00:00:00.000Z',
    '2026-03-08T07:30:00.001Z',
    '2026-11-20T09:30:00.123Z',
    '9999-12-31T23:59:59.999Z',
  ])('Prisma and plain SQL write and read %s as one instant', async (text) => {
    const instant = new Date(text)
    const kept = { owner: 'acme', name: 'shop', default_branch: 'main', updated_at: instant }
    await db.prisma.repository.create({ data: { repository_id: 1n, ...kept } })
    await db.query(
      `insert into repositories (repository_id, owner, name, default_branch, updated_at) values (2, 'acme', 'shop', 'main', $1)`,
      [instant],
    )
    const read = await db.query(
      'select updated_at, extract(epoch from updated_at)::float8 * 1000 as ms from repositories',
    )
    const written = { updated_at: instant, ms: instant.getTime() }
    expect(read.rows).toEqual([written, written])
    expect(await db.prisma.repository.findMany()).toMatchObject([kept, kept])
    expect(await db.prisma.repository.count({ where: { updated_at: instant } })).toBe(2)
    await db.prisma.repository.deleteMany()
  })

  it('the migrations are applied, and recorded with the instant of their application', async () => {
    await query(url, 'drop schema public cascade; create schema public')
    expect((await migrate(url)).applied.length).toBeGreaterThan(0)
    const away = `greatest(abs(extract(epoch from started_at - now())), abs(extract(epoch from finished_at - now())))`
    const late = await query(url, `select migration_name from _prisma_migrations where ${away} > 3000`)
    expect(late).toEqual([])
  })
})

it('other parameters of the URL are kept, but not a time zone in its options', async () => {
  const database = await createTestDatabase()
  const url = new URL(database.url)
  url.searchParams.set('application_name', 'headsup one')
  url.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c work_mem=5MB')
  const pool = createPool({ connectionString: url.href, max: 1 })
  // The drop of the database may end a connection that is being closed.
  pool.on('error', () => {})
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  const names = ['application_name', 'work_mem', 'TimeZone']
  const shown = names.map((name) => `current_setting('${name}') as "${name}"`)
  expect((await pool.query(`select ${shown}`)).rows).toEqual([
    { application_name: 'headsup one', work_mem: '5MB', TimeZone: 'UTC' },
  ])
})

it.each([
  { zone: 'Europe/London', style: 'ISO, MDY', outcome: 'refused' },
  { zone: 'UTC', style: 'SQL, MDY', outcome: 'refused' },
  { zone: 'Etc/GMT', style: 'ISO, DMY', outcome: 'taken' },
])('a database that sets its sessions to $zone and $style at login is $outcome at the start', async (given) => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  await query(
    database.url,
    `create function set_session() returns event_trigger language plpgsql as $$
     begin perform set_config('TimeZone', '${given.zone}', false), set_config('DateStyle', '${given.style}', false); end $$;
     create event trigger at_login on login execute function set_session()`,
  )
  const start = waitForDatabase(database.url, { timeoutMs: 1_000, log: silentLog }).then(() => 'taken', String)
  expect(await start).toEqual(given.outcome === 'taken' ? 'taken' : expect.stringContaining('are not in UTC'))
})

it('the connections of the service read an array of texts in one step', async () => {
  const database = await createTestDatabase()
  const db = databaseAt(database.url)
  onTestFinished(async () => {
    await db.close()
    await database.drop()
  })
  const client = await db.pool.connect()
  const textArray: number = 1009
  expect(client.getTypeParser(textArray)).toBe(parseTexts)
  client.release()
  const { rows } = await db.query(`select array['src/**', 'a b', null, '{a,b}'] as texts, 5::bigint as id`)
  expect(rows).toEqual([{ texts: ['src/**', 'a b', null, '{a,b}'], id: 5n }])
})
