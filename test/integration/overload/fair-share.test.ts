import type pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../support/client.ts'
import { deliver, repositoryPayload, secret } from '../../support/deliveries.ts'
import { connect, query } from '../../support/query.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

const minute = 60_000
const twelve = 12
let stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.reverse()) await stop()
  stops = []
})

/** A service with these bounds, in which nothing that waits runs out of time. */
async function bounded({ slots, connections }: { slots: number; connections: number }) {
  let came = 0
  const service = await startTestService({
    webhookSecret: secret,
    bounds: { requests: { atOnce: slots, waitMs: minute, longWaitMs: minute } },
    database: { poolSize: connections, connectionMs: minute, statementMs: minute },
    emit({ kind }) {
      if (kind === 'request_began') came++
    },
  })
  stops.push(service.stop)
  const untilCame = (count: number) => expect.poll(() => came, { timeout: minute }).toBe(count)
  return { service, untilCame, came: () => came }
}

/** Statements that wait for a lock. */
async function blocked({ db }: TestService): Promise<number> {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await query(db.pool.options.connectionString ?? '', sql)).length
}

/** Twelve heartbeats of one repository. Each is one statement that takes until it is let go. So many run at once. */
async function slowRequests({ service, untilCame, came }: Awaited<ReturnType<typeof bounded>>, atOnce: number) {
  const repository = service.newRepository()
  const locks: pg.Client[] = []
  const paths: string[] = []
  for (let n = 0; n < twelve; n++) {
    const { activity } = await repository.created('/activity', { title: 'A', summary: 'B.', actor: 'Alice' })
    const client = await connect(service.db.pool.options.connectionString ?? '')
    await client.query('begin')
    await client.query('select from activities where id = $1 for update', [activity.id])
    locks.push(client)
    paths.push(`/activity/${activity.id}`)
  }
  const answers: Promise<ApiResponse>[] = []
  for (const path of paths) {
    const before = came()
    answers.push(repository.post(`${path}/heartbeat`))
    await untilCame(before + 1)
    await expect.poll(() => blocked(service), { timeout: minute }).toBe(Math.min(answers.length, atOnce))
  }
  const letGo = (count: number) => Promise.all(locks.splice(0, count).map((lock) => lock.end()))
  stops.push(async () => {
    await letGo(twelve)
    await Promise.all(answers)
  })
  return { repository, answers, letGo, blocked: () => blocked(service) }
}

/** A repository that was used before, so that the next request asks the database once. */
async function usedRepository(service: TestService): Promise<{ repository: TestRepository; path: string }> {
  const repository = service.newRepository()
  const work = { title: 'A', summary: 'B.', actor: 'Alice', branch: 'feat' }
  const { activity } = await repository.created('/activity', work)
  const path = `/activity/${activity.id}`
  await repository.get(path)
  return { repository, path }
}

describe.each([
  ['connections', { slots: 128, connections: 5 }],
  ['slots', { slots: 4, connections: 10 }],
])('with twelve slow requests of one repository that hold all %s', (_, bounds) => {
  it('another repository gets the next one, before those of that repository that wait longer', async () => {
    const running = await bounded(bounds)
    const { service, untilCame, came } = running
    const others = [await usedRepository(service), await usedRepository(service)]
    // Of five connections one is kept for webhooks and jobs.
    const slow = await slowRequests(running, 4)
    const before = came()
    const answers = others.map(({ repository, path }) => repository.get(path))
    await untilCame(before + 2)
    await slow.letGo(1)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    expect(await slow.answers[0]).toMatchObject({ status: 200 })
    await expect.poll(slow.blocked, { timeout: minute }).toBe(4)
  })
})

it('a delivery is handled while one repository holds all connections that callers may have', async () => {
  const running = await bounded({ slots: 128, connections: 4 })
  const { service } = running
  const { repository } = await usedRepository(service)
  await slowRequests(running, 3)
  const deletion = { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(repository) }
  const answer = await deliver(service, 'delete', deletion)
  expect(answer).toMatchObject({ status: 200, body: { outcome: 'handled' } })
})
