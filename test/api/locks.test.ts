import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { inTransaction } from '../../src/service/db/retry.ts'
import { heartbeatBranch } from '../../src/service/records/events.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { day, query } from '../support/database.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
let prisma: ReturnType<typeof openDatabase>['prisma']
beforeAll(async () => {
  service = await startTestService()
  prisma = openDatabase(service.databaseUrl).prisma
})
afterAll(async () => {
  await prisma.$disconnect()
  await service.stop()
})

/** Until somebody waits for a row that is locked. */
async function untilOneWaits(): Promise<void> {
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await vi.waitFor(async () => expect(await query(service.databaseUrl, waiting)).toHaveLength(1), 4_000)
}

it('§10 a push locks the work of its branch in the order of its ids, as everybody does', async () => {
  const client = clientOf(service)
  const ids: string[] = []
  for (const title of ['First', 'Second'])
    ids.push((await client.post('/activity', { ...work, title, branch: 'login' })).body.activity.id)
  // Its row lies behind the other one from now on.
  await prisma.$executeRaw`update activities set expires_at = expires_at + interval '1 hour' where id = ${ids[0]}`
  const push = await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`select from activities where id = ${ids[0]} for update`
    const event = { repository: { ...client.repository, id: BigInt(client.repository.id) }, branch: 'login' }
    const { values } = defaultSettings({ activityTtlMs: day, notableTtlMs: day })
    const now = new Date()
    const push = inTransaction(prisma, (tx) => heartbeatBranch(tx, { ...event, pushedAt: now, now }, values))
    await untilOneWaits()
    await tx.$queryRaw`select from activities where id = ${ids[1]} for update nowait`
    return [push]
  })
  await push[0]
})

it('§15 a notable that is stored is answered, though what it tells check runs meets a deadlock', async () => {
  const client = clientOf(service)
  const repository_id = BigInt(client.repository.id)
  await prisma.checkRun.createMany({
    data: [1, 2].map((number) => ({ repository_id, number, head_sha: 'a'.repeat(40) })),
  })
  const lock = (tx: Pick<typeof prisma, '$queryRaw'>, number: number) =>
    tx.$queryRaw`select from check_runs where repository_id = ${repository_id} and number = ${number} for update`
  const notable = { title: 'Freeze', summary: 'No merges.', importance: 'critical', category: 'release' }
  const [raised] = await prisma.$transaction(async (tx) => {
    await lock(tx, 2)
    const raised = client.post('/notables', notable)
    await untilOneWaits()
    // PostgreSQL ends the statement that began to wait first.
    await lock(tx, 1)
    return [raised]
  })
  expect((await raised)?.status).toBe(201)
  const due = await query(service.databaseUrl, 'select from check_runs where due_at is not null')
  expect(due).toHaveLength(2)
})

it('§15 a notable that is stored is answered, though check runs can not be told', async () => {
  const client = clientOf(service)
  const notable = { title: 'Freeze', summary: 'No merges.', importance: 'critical', category: 'release' }
  await prisma.$executeRaw`alter table check_runs rename to away`
  const { status } = await client.post('/notables', notable)
  await prisma.$executeRaw`alter table away rename to check_runs`
  expect(status).toBe(201)
  expect((await client.get('/notables')).body.items).toMatchObject([notable])
})
