import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../../src/service/db/database.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { query } from '../../support/query.ts'

async function connect(options: { statementMs?: number; idleMs?: number } = {}) {
  const database = await createTestDatabase()
  const db = databaseAt(database.url, { poolSize: 2, ...options })
  onTestFinished(async () => {
    await db.close()
    await database.drop()
  })
  const lost = vi.fn()
  db.onConnectionLost(lost)
  return { db, lost, kill: (pid: number) => query(database.url, `select pg_terminate_backend(${pid})`) }
}

/** Two connections of the pool, so that one stays when the other is lost. */
async function two({ pool }: Database) {
  const clients = await Promise.all([pool.connect(), pool.connect()])
  const pid = (await clients[0].query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  return { clients, pid }
}

it('a connection that is killed while it is idle is reported as lost', async () => {
  const { db, lost, kill } = await connect()
  const { clients, pid } = await two(db)
  for (const client of clients) client.release()
  await kill(pid)
  await expect.poll(() => lost.mock.calls.length).toBe(1)
  expect(db.connections().total).toBe(1)
})

it('a connection that is killed during a statement is reported as lost', async () => {
  const { db, lost, kill } = await connect()
  const { clients, pid } = await two(db)
  const slow = clients[0].query('select pg_sleep(60)').catch(() => 'failed')
  await kill(pid)
  expect(await slow).toBe('failed')
  await expect.poll(() => lost.mock.calls.length).toBe(1)
  for (const client of clients) client.release()
})

it('a connection that is killed during a single statement is reported as lost, although another one stays', async () => {
  const { db, lost, kill } = await connect()
  const { clients } = await two(db)
  for (const client of clients) client.release()
  const slow = db.query('select pg_sleep(60)').catch(() => 'failed')
  const active = `select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%sleep(60)'`
  await kill(await vi.waitFor(async () => z.object({ pid: z.int() }).parse((await db.query(active)).rows[0]).pid))
  expect(await slow).toBe('failed')
  expect(lost).toHaveBeenCalledOnce()
  expect(db.connections().total).toBe(1)
})

it('a statement that times out counts as a lost connection: its server may be down', async () => {
  const { db, lost } = await connect({ statementMs: 50 })
  await db.query('select pg_sleep(60)').catch(() => {})
  await expect.poll(() => lost.mock.calls.length).toBeGreaterThan(0)
})

it('a quiet time without any connection counts as lost: nobody would notice another server', async () => {
  const { lost, db } = await connect({ idleMs: 20 })
  await db.query('select 1')
  await expect.poll(() => db.connections().total).toBe(0)
  await expect.poll(() => lost.mock.calls.length).toBeGreaterThan(0)
})

it('statements that fail for other reasons lose no connection', async () => {
  const { db, lost } = await connect()
  await db.query('select 1 / 0').catch(() => {})
  await db.query('select 1')
  expect(lost).not.toHaveBeenCalled()
})
