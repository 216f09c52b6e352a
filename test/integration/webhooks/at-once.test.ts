import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ApiResponse } from '../../support/client.ts'
import { hour } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret } from '../../support/deliveries.ts'
import { patient } from '../../support/patient.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret, ...patient })
})
afterAll(() => service.stop())

const now = () => service.clock.now().toISOString()

function merge(repository: TestRepository): Promise<ApiResponse> {
  const merged = { merged: true, state: 'closed', merged_at: now() }
  return deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', merged))
}

function deletion(repository: TestRepository, guid: string = randomUUID(), to = service): Promise<ApiResponse> {
  const payload = { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(repository, { pushed_at: now() }) }
  return deliver(to, 'delete', payload, { guid })
}

function push(repository: TestRepository): Promise<ApiResponse> {
  const payload = { ref: 'refs/heads/feat', commits: [], repository: repositoryPayload(repository) }
  return deliver(service, 'push', payload)
}

/** Works in a transaction of the test's own, which is rolled back unless the work commits it. */
async function inTransaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await service.db.pool.connect()
  try {
    await client.query('begin')
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Until so many transactions of the service wait for a lock. */
async function waiting(count = 1): Promise<void> {
  const query = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(async () => (await service.db.query<{ count: number }>(query)).rows[0]?.count, { interval: 5 })
    .toBe(count)
}

const lock = (client: PoolClient, id: string) => client.query('select 1 from activities where id = $1 for update', [id])

describe('concurrent changes', () => {
  it('a deletion that commits while the merge waits for it leaves the work merged', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const merging = await inTransaction(async (client) => {
      await client.query(
        `update activities set status = 'archived', archived_at = $2, ended_at = $2, archived_reason = 'branch_deleted' where id = $1`,
        [id, now()],
      )
      const response = merge(repository)
      await waiting()
      await client.query('commit')
      return response
    })
    expect(merging.status).toBe(200)
    expect(await read(repository, id)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  it('a merge and the deletion of its branch leave the work merged, archived once', async () => {
    for (let turn = 0; turn < 12; turn++) {
      const repository = service.newRepository()
      const ids = await Promise.all([record(repository), record(repository), record(repository)])
      const answers = await Promise.all([merge(repository), deletion(repository)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      for (const id of ids) expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
    }
  })

  it('an activity that a caller archives while the merge waits stays archived by the caller', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const merging = await inTransaction(async (client) => {
      await client.query(
        `update activities set status = 'archived', archived_at = $2, ended_at = $2, archived_reason = 'caller' where id = $1`,
        [id, now()],
      )
      const answers = [merge(repository), deletion(repository)]
      await waiting(2)
      await client.query('commit')
      return Promise.all(answers)
    })
    expect(merging.map(({ status }) => status)).toEqual([200, 200])
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'caller' })
  })

  it.each<[string, (repository: TestRepository) => Promise<ApiResponse>]>([
    ['a merge', merge],
    ['a deletion', (repository) => deletion(repository)],
    ['a push', push],
    ['an opening', (repository) => deliver(service, 'pull_request', pullRequestPayload(repository, 'opened'))],
  ])('%s locks its activities in one order, so that two of them cause no deadlock', async (_, event) => {
    const repository = service.newRepository()
    const [first, last] = [await record(repository), await record(repository)]
    for (const branch of ['elsewhere', 'feat'])
      await service.db.query('update activities set branch = $2 where id = $1', [first, branch])
    const response = await inTransaction(async (client) => {
      await lock(client, first)
      const telling = event(repository)
      await waiting()
      await client.query('select 1 from activities where id = $1 for update nowait', [last])
      await client.query('commit')
      return telling
    })
    expect(response).toMatchObject({ status: 200, body: { outcome: 'handled' } })
  })

  it('a delivery that PostgreSQL aborts to resolve a deadlock is handled on a retry', async () => {
    const repository = service.newRepository()
    const first = await record(repository)
    const last = await record(repository)
    const response = await inTransaction(async (client) => {
      // So that it is the delivery that finds the circle.
      await client.query(`set local deadlock_timeout = '20s'`)
      await lock(client, last)
      const deleting = deletion(repository)
      await waiting()
      await lock(client, first)
      await client.query('commit')
      return deleting
    })
    expect(response).toMatchObject({ status: 200, body: { outcome: 'handled' } })
    for (const id of [first, last])
      expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('of two deliveries with one GUID, the second is handled if the first fails', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const guid = randomUUID()
    const [first, second] = await inTransaction(async (client) => {
      await lock(client, id)
      const deleting = deletion(repository, guid)
      await waiting()
      const again = deletion(repository, guid)
      await waiting(2)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update activities%'`,
      )
      await expect.poll(async () => (await deleting).status).toBe(500)
      await client.query('commit')
      return [await deleting, await again]
    })
    expect(first).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(second).toMatchObject({ status: 200, body: { outcome: 'handled' } })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('a delivery that waits too long for a lock fails, and is handled when it is redelivered', async () => {
    const hasty = await startTestService({ webhookSecret: secret, database: { statementMs: 1_000 } })
    onTestFinished(() => hasty.stop())
    const repository = hasty.newRepository()
    const id = await record(repository)
    const guid = randomUUID()
    const holder = await hasty.db.pool.connect()
    await holder.query('begin')
    await lock(holder, id)
    const stuck = await deletion(repository, guid, hasty)
    await holder.query('rollback')
    holder.release()
    expect(stuck).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
    expect(await deletion(repository, guid, hasty)).toMatchObject({ status: 200, body: { outcome: 'handled' } })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('more pushes than connections are all handled, without requests to GitHub', async () => {
    const withApp = await startTestService({ githubApp: true, sharedWith: service, ...patient })
    const repositories = Array.from({ length: 15 }, () => withApp.as(service.newRepository()))
    service.github.install('acme')
    const ids = await Promise.all(repositories.map((repository) => record(repository)))
    service.clock.advance(hour)
    const before = service.github.requests.length
    const pushes = repositories.map((repository) => {
      const payload = { ref: 'refs/heads/feat', commits: [], repository: repositoryPayload(repository) }
      return deliver(withApp, 'push', payload, { secret: service.github.data.app.webhookSecret })
    })
    for (const { status } of await Promise.all(pushes)) expect(status).toBe(200)
    expect(service.github.requests).toHaveLength(before)
    for (const [n, repository] of repositories.entries())
      expect(await read(repository, ids[n] ?? '')).toMatchObject({ heartbeat_at: now() })
    await withApp.stop()
  })
})
