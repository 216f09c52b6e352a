import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { deleteOldChanges, isInLog, readChangeLog, readPosition } from '../../../src/live/change-log.sql.ts'
import { databaseAt } from '../../support/database.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let other: Database
beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  const { rows } = await service.db.query<{ name: string }>('select current_database() as name')
  const url = new URL(service.adminUrl)
  url.pathname = `/${rows[0]?.name}`
  other = databaseAt(url.href)
})
afterAll(async () => {
  await other.close()
  await service.stop()
})

const create = async (title: string) =>
  (await repository.created('/activity', { title, summary: 'x', actor: 'alice', scope: { paths: [] } })).activity.id

/** Changes of a transaction are shown once no older transaction of the server is open; with `visible`, at once. */
const idsSince = async (from: string, { visible = false } = {}) => {
  const { changes } = await readChangeLog(service.db, from, [repository.id], { visible })
  return changes.map(({ id }) => id).sort()
}

describe('the change log', () => {
  it('has each record that was created or changed, once', async () => {
    const { txid } = await readPosition(service.db)
    const [a, b] = [await create('a'), await create('b')]
    service.clock.advance(10)
    await repository.patch(`/activity/${a}`, { title: 'c' })
    const { id } = await repository.raised()
    await expect.poll(() => idsSince(txid)).toEqual([a, b, id].sort())
  })

  it('has nothing of a heartbeat', async () => {
    const { txid: before } = await readPosition(service.db)
    const id = await create('a')
    await expect.poll(() => idsSince(before)).toEqual([id])
    const { txid } = await readPosition(service.db)
    service.clock.advance(1000)
    await repository.post(`/activity/${id}/heartbeat`)
    expect(await idsSince(txid, { visible: true })).toEqual([])
  })

  it('has nothing of another repository', async () => {
    const quiet = service.newRepository()
    const { txid } = await readPosition(service.db)
    await repository.raised()
    const { changes } = await readChangeLog(service.db, txid, [quiet.id], { visible: true })
    expect(changes).toEqual([])
  })

  it('gives sixteen writers on two instances no chance to hide a change from a reader', async () => {
    const [made, seen] = [new Set<string>(), new Map<string, number>()]
    const { rows } = await service.db.query<{ name: string }>('select id as name from activities limit 1')
    let { txid } = await readPosition(service.db)
    let isWriting = true
    const write = async (db: Database, writer: number) => {
      for (let n = 0; n < 40; n++) {
        const id = `ntb_${String(writer).padStart(2, '0')}${String(n).padStart(24, '0')}`
        await db.transaction(async (tx) => {
          await insertRaw(tx, id)
          // Transactions commit in another order than they began in.
          if ((writer + n) % 3 === 0) await sleep(5)
        })
        made.add(id)
      }
    }
    const read = async () => {
      // A transaction of another test on this server delays what may be read.
      const isDone = () => !isWriting && [...made].every((id) => seen.has(id))
      for (let left = 20_000; left > 0 && !isDone(); left--) {
        const { position, changes } = await readChangeLog(service.db, txid, [repository.id])
        txid = position.txid
        for (const { id } of changes) seen.set(id, (seen.get(id) ?? 0) + 1)
        if (!isWriting) await sleep(5)
      }
    }
    const reading = read()
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer % 2 ? service.db : other, writer)))
    isWriting = false
    await reading
    expect(rows.length).toBe(1)
    expect([...made].filter((id) => seen.get(id) !== 1)).toEqual([])
    expect(made.size).toBe(640)
  })

  it('says whether a position is still in it', async () => {
    const position = await readPosition(service.db)
    await create('a')
    expect(await isInLog(service.db, position)).toBe(true)
    expect(await isInLog(service.db, { ...position, epoch: 'other' })).toBe(false)
    await deleteOldChanges(service.db, new Date(Date.now() + 60_000), 10_000)
    expect(await isInLog(service.db, position)).toBe(false)
    await expect.poll(async () => isInLog(service.db, await readPosition(service.db))).toBe(true)
  })
})

function insertRaw(tx: Pick<Database['prisma'], '$executeRaw'>, id: string) {
  return tx.$executeRaw`
    insert into notables (repository_id, id, title, summary, category, importance, status, supersedes, areas, area_keys,
                          paths, blocking, expires_at, created_at, updated_at)
    values (${repository.id}, ${id}, 'x', 'x', 'process', 'low', 'active', '{}', '{}', '{}', '{}', false,
            now() + interval '1 day', now(), now())`
}
