import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/service/config/config.ts'
import { createDatabase, isDatabaseUnavailable } from '../../../src/service/db/database.ts'
import { recordedPid } from '../../../src/service/db/embedded/orphan.ts'
import { waitForDatabase } from '../../../src/service/db/wait-for-database.ts'
import { startService } from '../../../src/service/service.ts'
import { startTcpProxy } from '../../faults/stage/tcp-proxy.ts'
import { createTestDatabase } from '../../support/database.ts'
import { query } from '../../support/query.ts'
import { keptLog, startScratch, usedDirectory } from './scratch-postgres.ts'

const timeoutMs = 10_000

it('waits for a database that is not running yet, logs the wait, and continues when it responds', async () => {
  const dataDir = await usedDirectory()
  const first = await startScratch(dataDir)
  await first.stop()
  const { log, lines } = keptLog()
  const outcome = waitForDatabase(first.url, { timeoutMs, log }).then(() => 'answered', String)
  await expect.poll(() => lines.join(), { timeout: timeoutMs }).toContain('the database can not be reached')
  // On another port, since nothing lets the caller choose one: whoever was waited for is played by a relay.
  const second = await startScratch(dataDir)
  const relay = createServer((socket) => {
    const to = connect(Number(new URL(second.url).port), '127.0.0.1')
    socket.pipe(to).pipe(socket)
    for (const each of [socket, to]) each.on('error', () => {})
  }).listen(Number(new URL(first.url).port), '127.0.0.1')
  onTestFinished(() => void relay.close())
  expect(await outcome).toBe('answered')
  const told = lines.map((line) => JSON.parse(line))
  expect(told).toMatchObject([
    { message: 'the database can not be reached' },
    { message: 'the database is reached again' },
  ])
})

it.each([
  ['the version is asked for', 'server_version_num'],
  ['migrations are looked for', '_prisma_migrations'],
  ['the GitHub server is compared', 'github_server_url'],
  ['the key of sessions is read', 'session_secret'],
])('a start survives a broken connection to the database while %s', async (_, statement) => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const address = await startTcpProxy(Number(new URL(database.url).port))
  onTestFinished(() => address.stop())
  let broken = 0
  address.onSent((data) => {
    if (broken > 0 || !data.includes(statement)) return
    broken++
    address.breakAll()
  })
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(address.port) }).href
  const { log, lines } = keptLog()
  const { config } = loadConfig({ DATABASE_URL: url, HOST: '127.0.0.1', PORT: '0' })
  const service = await startService(config, log)
  await service.stop()
  expect(broken).toBe(1)
  expect(lines.join()).toContain('the database is reached again')
})

it('throws the reason when the time is over', async () => {
  await expect(
    waitForDatabase('postgresql://u:p@localhost:1/d', { timeoutMs: 300, log: keptLog().log }),
  ).rejects.toThrow(/^the database of DATABASE_URL does not answer: .*ECONNREFUSED/)
})

it('does not wait if the database rejects the connection', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { log, lines } = keptLog()
  const password = new URL(database.url)
  password.password = 'wrong'
  const name = new URL(database.url)
  name.pathname = '/nowhere'
  for (const [url, message] of [
    [password, /DATABASE_URL refuses: password authentication failed/],
    [name, /DATABASE_URL refuses: database "nowhere" does not exist/],
  ] as const) {
    await expect(waitForDatabase(url.href, { timeoutMs, log })).rejects.toThrow(message)
  }
  expect(lines).toEqual([])
})

it('a ping throws when its time is over', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const db = createDatabase(`postgresql://u:p@127.0.0.1:${port}/d`, { log: keptLog().log })
  const late = await db.ping(50).catch((error: unknown) => error)
  expect(isDatabaseUnavailable(late)).toBe(true)
  await db.close()
})

it('concurrent pings use one connection outside the pool, which is closed with the pool', async () => {
  const { adminUrl } = inject('postgres')
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const name = new URL(database.url).pathname.slice(1)
  const connections = () => query(adminUrl, `select 1 from pg_stat_activity where datname = '${name}'`)
  const db = createDatabase(database.url, { log: keptLog().log, poolSize: 1 })
  const held = await db.pool.connect()
  await Promise.all(Array.from({ length: 20 }, () => db.ping(timeoutMs)))
  expect(await connections()).toHaveLength(2)
  held.release()
  await db.close()
  await expect.poll(connections).toEqual([])
})

it('survives the loss of idle connections, and logs it', async () => {
  const dataDir = await usedDirectory()
  const server = keptLog()
  const { url } = await startScratch(dataDir, server.log)
  const { log, lines } = keptLog()
  const db = createDatabase(url, { log })
  onTestFinished(() => db.close())
  await Promise.all([db.query('select 1'), db.prisma.$queryRaw`select 1`])
  process.kill((await recordedPid(join(dataDir, 'postgres'))) ?? Number.NaN, 'SIGKILL')
  await expect.poll(() => server.lines.join()).toContain('answers again')
  await expect.poll(() => lines.join(), { timeout: timeoutMs }).toContain('a database connection was lost')
  await db.ping(timeoutMs)
})

it('logs once that the database rejects connections and once that it accepts them again, and nothing while the pool is busy', async () => {
  const { adminUrl } = inject('postgres')
  const database = await createTestDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const { log, lines } = keptLog()
  const db = createDatabase(database.url, { log, poolSize: 1, connectionMs: 1_000 })
  onTestFinished(async () => {
    await db.close()
    await database.drop()
  })
  const held = await db.pool.connect()
  await expect(db.query('select 1')).rejects.toThrow('timeout exceeded')
  held.release(true)
  expect(lines).toEqual([])
  await query(adminUrl, `alter database ${name} with allow_connections false`)
  const asked = [() => db.query('select 1'), () => db.pool.connect(), () => db.prisma.$queryRaw`select 1`]
  for (const ask of asked) await expect(ask()).rejects.toThrow(/not currently accepting/)
  await query(adminUrl, `alter database ${name} with allow_connections true`)
  for (const ask of [...asked.slice(0, 1), ...asked.slice(2)]) await ask()
  const error = expect.stringContaining('not currently accepting connections')
  const fields = { since: expect.any(String), away_ms: expect.any(Number) }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { message: 'the database can not be reached', error, ...fields },
    { message: 'the database is reached again', ...fields },
  ])
})

it('logs no connection that is lost while the pool closes', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { log, lines } = keptLog()
  const db = createDatabase(database.url, { log })
  await Promise.all([db.query('select 1'), db.prisma.$queryRaw`select 1`])
  await db.close()
  await expect(db.pool.connect()).rejects.toThrow('after calling end')
  db.pool.emit('error', new Error('terminating connection due to administrator command'), new pg.Client())
  expect(lines).toEqual([])
})

it('keeps no state in the session, so that a pooler in transaction mode works', async () => {
  const database = await createTestDatabase()
  const db = createDatabase(database.url, { log: keptLog().log, poolSize: 1 })
  onTestFinished(async () => {
    await db.close()
    await database.drop()
  })
  await db.transaction((tx) => tx.repository.findFirst())
  await db.prisma.repository.findMany()
  const { rows } = await db.query(
    `select (select count(*)::integer from pg_prepared_statements where name <> '') as prepared,
            (select count(*)::integer from pg_settings where source = 'session') as set,
            (select count(*)::integer from pg_listening_channels()) as channels`,
  )
  expect(rows).toEqual([{ prepared: 0, set: 0, channels: 0 }])
})
