import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { keptLog } from '../integration/db/scratch-postgres.ts'
import { query } from '../support/query.ts'
import { startPostgres } from './stage/postgres.ts'

/** With those of the service and of the test nearly all that the server takes. */
const clients = 80

it(`a database that ${clients} clients keep busy is not taken for silent, nor is a statement that waits for a lock cut off`, async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const { log, lines } = keptLog()
  const db = createDatabase(postgres.url, { log, statementMs: 600_000, connectionMs: 60_000 })
  onTestFinished(() => db.close())
  await query(postgres.url, 'create table busy (id int)')
  const [lock, observer] = [connectTo(postgres.url), connectTo(postgres.url)]
  await Promise.all([lock.connect(), observer.connect()])
  await lock.query('begin; lock table busy')
  const busy = new pg.Pool({ connectionString: postgres.url, max: clients })
  busy.on('error', () => {})
  let isOver = false
  const work = Array.from({ length: clients }, async () => {
    while (!isOver) await busy.query('select count(*) from generate_series(1, 100000)').catch(() => {})
  })
  onTestFinished(() => busy.end())
  onTestFinished(() => {
    isOver = true
  })
  const waiting = Promise.all(Array.from({ length: 10 }, () => db.query('insert into busy values (1)')))
  waiting.catch(() => {})
  const pings = new Set<unknown>()
  const lastPing = `select query_start::text as at from pg_stat_activity where query like 'select pg_backend_pid%'`
  const pinged = async () => pings.add((await observer.query<{ at: string }>(lastPing)).rows[0]?.at).size
  await expect.poll(pinged, { timeout: 120_000, interval: 200 }).toBeGreaterThan(10)
  await lock.end()
  await waiting
  isOver = true
  await Promise.all(work)
  await observer.end()
  expect(lines.filter((line) => line.includes('does not answer'))).toEqual([])
}, 180_000)

function connectTo(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  return client
}
