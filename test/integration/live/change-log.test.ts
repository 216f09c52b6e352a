import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/service/db/database.ts'
import {
  deleteOldChanges,
  mostChanges,
  type Position,
  readChangeLog,
} from '../../../src/service/live/change-log.sql.ts'
import { hour, minute } from '../../support/clock.ts'
import { databaseAt } from '../../support/database.ts'
import { connect } from '../../support/query.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let other: Database
let url: string
let clients: pg.Client[] = []
beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  const { rows } = await service.db.query<{ name: string }>('select current_database() as name')
  const address = new URL(service.adminUrl)
  address.pathname = `/${rows[0]?.name}`
  url = address.href
  other = databaseAt(url)
})
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()))
  clients = []
})
afterAll(async () => {
  await other.close()
  await service.stop()
})

const create = async (title: string) =>
  (await repository.created('/activity', { title, summary: 'x', actor: 'alice', scope: { paths: [] } })).activity.id

/** Ids of 26 characters after the prefix, as the database wants them. */
const [openId, idleId] = [`ntb_${'1'.repeat(26)}`, `ntb_${'2'.repeat(26)}`]

const endOfLog = async () => (await readChangeLog(service.db, [])).position

/** The ids of the rows since then, in their order; undefined where they are not all known. */
async function idsSince(position: Position, { id: repositoryId } = repository): Promise<string[] | undefined> {
  const { changes } = await readChangeLog(service.db, [{ repositoryId, position }])
  return changes[0]?.map(({ id }) => id)
}

/** A transaction that has written a notable, and is open. */
async function openTransaction(id: string): Promise<pg.Client> {
  const client = await connect(url)
  clients.push(client)
  await client.query('begin')
  await client.query(insertSql, [repository.id, id])
  return client
}

const insertSql = `
  insert into notables (repository_id, id, title, summary, category, importance, status, supersedes, areas, area_keys,
                        paths, blocking, expires_at, created_at, updated_at)
  values ($1, $2, 'x', 'x', 'process', 'low', 'active', '{}', '{}', '{}', '{}', false, now() + interval '1 day', now(), now())`

describe('a reader of the change log', () => {
  it('gets each change at once and once, whatever transaction is open', async () => {
    const before = await endOfLog()
    const client = await openTransaction(openId)
    const first = await create('a')
    const between = await endOfLog()
    expect(await idsSince(before)).toEqual([first])
    const second = await create('b')
    expect(await idsSince(between)).toEqual([second])
    const end = await endOfLog()
    await client.query('commit')
    expect(await idsSince(end)).toEqual([openId])
    expect(await idsSince(await endOfLog())).toEqual([])
  })

  it('gets nothing of a heartbeat, and nothing of another repository', async () => {
    const [quiet, id] = [service.newRepository(), await create('a')]
    const position = await endOfLog()
    service.clock.advance(1000)
    await repository.post(`/activity/${id}/heartbeat`)
    expect(await idsSince(position)).toEqual([])
    await repository.raised()
    expect(await idsSince(position, quiet)).toEqual([])
  })

  it('gets each change of sixteen writers on two instances once', async () => {
    const [made, seen] = [new Set<string>(), new Map<string, number>()]
    let position = await endOfLog()
    let isWriting = true
    const write = async (db: Database, writer: number) => {
      for (let n = 0; n < 20; n++) {
        const id = `ntb_${String(writer).padStart(2, '0')}${String(n).padStart(24, '0')}`
        await db.transaction(async (tx) => {
          await tx.$executeRawUnsafe(insertSql, repository.id, id)
          // Transactions commit in another order than they began in.
          if ((writer + n) % 3 === 0) await sleep(5)
        })
        made.add(id)
      }
    }
    const readOnce = async () => {
      const { position: end, changes } = await readChangeLog(service.db, [{ repositoryId: repository.id, position }])
      position = end
      for (const { id } of changes[0] ?? []) seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    const read = async () => {
      while (isWriting) await readOnce()
      await readOnce()
    }
    const reading = read()
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer % 2 ? service.db : other, writer)))
    isWriting = false
    await reading
    expect([...made].filter((id) => seen.get(id) !== 1)).toEqual([])
    expect(made.size).toBe(320)
  })

  it('begins anew in another epoch, and where more changed than it reads', async () => {
    const position = await endOfLog()
    expect(await idsSince({ ...position, epoch: 'other' })).toBeUndefined()
    const insert = `insert into change_log (repository_id, kind, record_id) select $1, 'activity', 'a' from generate_series(1, $2)`
    await service.db.query(insert, [repository.id, mostChanges])
    expect(await idsSince(position)).toHaveLength(mostChanges)
    await create('a')
    expect(await idsSince(position)).toBeUndefined()
  })
})

describe('the deletion of old changes', () => {
  const now = new Date()
  const at = (ms: number) => new Date(now.getTime() + ms)
  /** Runs at this time until nothing is left to delete. */
  const deleteAt = async (ms: number) => {
    while ((await deleteOldChanges(service.db, at(ms), 100)) === 100);
  }

  it('keeps what is younger than an hour, and no longer', async () => {
    const position = await endOfLog()
    const id = await create('a')
    await deleteAt(0)
    await deleteAt(59 * minute)
    expect(await idsSince(position)).toEqual([id])
    // A transaction of another test on this server delays it.
    await expect
      .poll(async () => {
        await deleteAt(2 * hour)
        await deleteAt(4 * hour)
        return await idsSince(position)
      })
      .toBeUndefined()
    expect(await idsSince(await endOfLog())).toEqual([])
  })

  it('takes no change from a reader while a transaction is idle for two hours, nor after its end', async () => {
    await service.db.query('truncate change_log')
    const client = await openTransaction(idleId)
    await deleteAt(-2 * hour)
    await create('a')
    const position = await endOfLog()
    const next = await create('b')
    const age = `update change_log set at = at - interval '2 hours' where record_id`
    await client.query(`${age} = $1`, [idleId])
    await service.db.query(`${age} <> $1`, [idleId])
    await deleteAt(0)
    expect(await idsSince(position)).toEqual([next])
    await client.query('commit')
    await deleteAt(1)
    expect((await idsSince(position))?.sort()).toEqual([next, idleId])
  })
})
