import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { purge } from '../../src/service/records/purge.ts'
import { age, day, hour, minute, query } from '../support/database.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function start(client: Client, body: object = {}): Promise<string> {
  return (await client.post('/activity', { ...work, ...body })).body.activity.id
}

const read = async (client: Client, id: string) => (await client.get(`/activity/${id}`)).body
const older = (id: string, ms: number) => age(service.databaseUrl, id, ms)

describe('§4 a heartbeat', () => {
  it('moves the expiry out, and updated_at not', async () => {
    const client = clientOf(service)
    const id = await start(client)
    await older(id, 5 * hour)
    const before = await read(client, id)
    const { body } = await client.post(`/activity/${id}/heartbeat`)
    expect(body).toEqual({ id, status: 'active', heartbeat_at: expect.any(String), expires_at: expect.any(String) })
    expect(Date.parse(body.expires_at)).toBe(Date.parse(body.heartbeat_at) + day)
    const { heartbeat_at, expires_at } = body
    expect(await read(client, id)).toEqual({ ...before, heartbeat_at, expires_at, pr_reminder_due: false })
    const patched = await client.patch(`/activity/${id}`, { heartbeat: true })
    expect(patched.body.updated_at).toBe(before.updated_at)
    expect(patched.body.heartbeat_at > heartbeat_at).toBe(true)
  })

  it('never brings the expiry nearer, and keeps within the longest life', async () => {
    const client = clientOf(service)
    const id = await start(client)
    const far = new Date(Date.now() + 3 * day)
    await query(service.databaseUrl, 'update activities set expires_at = $2 where id = $1', [id, far])
    expect((await client.post(`/activity/${id}/heartbeat`)).body.expires_at).toBe(far.toISOString())
    const settings = JSON.stringify({ max_activity_ttl_ms: 25 * hour })
    const setUp = 'update repositories set settings = $2 where repository_id = $1'
    await query(service.databaseUrl, setUp, [client.repository.id, settings])
    const bounded = await start(client)
    await older(bounded, 20 * hour)
    const { created_at } = await read(client, bounded)
    const { body } = await client.post(`/activity/${bounded}/heartbeat`)
    expect(Date.parse(body.expires_at)).toBe(Date.parse(created_at) + 25 * hour)
    const inPatch = await client.patch(`/activity/${bounded}`, { heartbeat: true })
    expect(inPatch.body.expires_at).toBe(body.expires_at)
  })

  it('of ended work answers, moves its times and revives nothing', async () => {
    const client = clientOf(service)
    const id = await start(client)
    const archived = (await client.post(`/activity/${id}/archive`)).body
    await older(id, hour)
    const { body } = await client.post(`/activity/${id}/heartbeat`)
    expect(body.status).toBe('archived')
    expect(Date.parse(body.expires_at)).toBe(Date.parse(body.heartbeat_at) + day)
    expect(Date.parse((await read(client, id)).archived_at)).toBe(Date.parse(archived.archived_at) - hour)
  })

  it('in a PATCH comes after its status', async () => {
    const client = clientOf(service)
    const id = await start(client)
    const { body } = await client.patch(`/activity/${id}`, { status: 'archived', heartbeat: true })
    expect(body).toMatchObject({ status: 'archived', heartbeat_at: body.archived_at })
  })

  it('of a record that is not there is 404', async () => {
    const client = clientOf(service)
    for (const id of ['act_01h455vb4pex5vsknk084sn02q', 'nonsense', await start(clientOf(service))])
      expect((await client.post(`/activity/${id}/heartbeat`)).status).toBe(404)
  })
})

describe('§4 work whose time is over', () => {
  it('is archived from that instant in every answer, and no write revives it', async () => {
    const client = clientOf(service, { login: 'alice' })
    for (const write of ['heartbeat', 'archive', 'patch', 'patch heartbeat']) {
      const id = await start(client)
      await older(id, 25 * hour)
      const expired = await read(client, id)
      const isExpired = {
        status: 'archived',
        archived_reason: 'expired',
        archived_at: expired.expires_at,
        archived_by: null,
      }
      expect(expired).toMatchObject({ ...isExpired, updated_at: expired.expires_at })
      if (write.startsWith('patch'))
        await client.patch(`/activity/${id}`, write === 'patch' ? { title: 'T' } : { heartbeat: true })
      else await client.post(`/activity/${id}/${write}`)
      expect(await read(client, id)).toMatchObject(isExpired)
    }
  })

  it.each([
    ['a heartbeat', (client: Client, id: string) => client.post(`/activity/${id}/heartbeat`)],
    ['a status', (client: Client, id: string) => client.patch(`/activity/${id}`, { status: 'paused' })],
  ])('is not revived by %s that was sent before, and waited for its turn', async (what, send) => {
    const client = clientOf(service)
    const id = await start(client)
    const { prisma } = openDatabase(service.databaseUrl)
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    const [answer] = await prisma.$transaction(async (tx) => {
      await tx.$queryRaw`select id from activities where id = ${id} for update`
      const answer = send(client, id)
      await vi.waitFor(async () => expect(await query(service.databaseUrl, isWaiting)).toHaveLength(1), 4_000)
      await tx.$executeRaw`update activities set expires_at = clock_timestamp() - interval '1 ms' where id = ${id}`
      return [answer]
    })
    await prisma.$disconnect()
    expect((await answer)?.status).toBe(what === 'a status' ? 409 : 200)
    expect(await read(client, id)).toMatchObject({ status: 'archived', archived_reason: 'expired' })
  })

  it('takes no other status than archived, which it has', async () => {
    const client = clientOf(service)
    const id = await start(client)
    await older(id, 25 * hour)
    const refused = await client.patch(`/activity/${id}`, { status: 'paused' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'invalid_transition', allowed: [] } } })
    expect((await client.patch(`/activity/${id}`, { status: 'archived' })).status).toBe(200)
  })
})

describe('§4 archive', () => {
  it('works from every status, names who ended the work first, and repeats itself', async () => {
    const [alice, bob] = [clientOf(service, { login: 'alice' })].flatMap((one) => [
      one,
      clientOf(service, { login: 'bob', repository: one.repository }),
    ])
    if (!alice || !bob) throw new Error('no clients')
    const from = ['planned', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review', 'merged', 'abandoned']
    for (const status of from) {
      const id = await start(alice)
      await alice.patch(`/activity/${id}`, { status })
      const first = await bob.post(`/activity/${id}/archive`)
      expect(first.body).toEqual({ id, status: 'archived', archived_at: expect.any(String) })
      const ended = await read(alice, id)
      expect(ended).toMatchObject({
        archived_reason: status === 'merged' ? 'merged' : 'caller',
        archived_by: ['merged', 'abandoned'].includes(status) ? 'alice' : 'bob',
      })
      expect((await alice.post(`/activity/${id}/archive`)).body).toEqual(first.body)
      expect(await read(alice, id)).toEqual(ended)
    }
  })

  it('at the same moment sets archived_at once', async () => {
    const client = clientOf(service)
    const id = await start(client)
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.post(`/activity/${id}/archive`)))
    expect(new Set(answers.map(({ body }) => body.archived_at)).size).toBe(1)
  })
})

describe('§4 the purge', () => {
  it('takes effect 30 days after the end, without a job', async () => {
    const client = clientOf(service)
    const ids = await Promise.all(
      ['archived', 'merged', 'abandoned', undefined].map(async (status) => {
        const id = await start(client)
        if (status) await client.patch(`/activity/${id}`, { status })
        return id
      }),
    )
    for (const [n, id] of ids.entries()) {
      const lived = n === 3 ? day : 0
      await older(id, 30 * day + lived - minute)
      expect((await client.get(`/activity/${id}`)).status).toBe(200)
      await older(id, minute)
      for (const answer of [
        await client.get(`/activity/${id}`),
        await client.patch(`/activity/${id}`, { title: 'T' }),
        await client.post(`/activity/${id}/archive`),
        await client.post(`/activity/${id}/heartbeat`),
      ])
        expect(answer.status).toBe(404)
      for (const status of ['archived', 'merged', 'abandoned'])
        expect(
          (await client.get(`/activity?status=${status}`)).body.items.map((one: { id: string }) => one.id),
        ).not.toContain(id)
    }
  })

  it('takes work out of the indexes when it is over, merged work after 7 days, and deletes it after 30', async () => {
    const client = clientOf(service)
    const body = { scope: { areas: ['a'] }, changes: { files: [{ path: 'src/a.ts' }] } }
    const [live, expired, merged] = [await start(client, body), await start(client, body), await start(client, body)]
    await client.patch(`/activity/${merged}`, { status: 'merged' })
    await older(expired, 25 * hour)
    const { prisma } = openDatabase(service.databaseUrl)
    const indexed = async () => {
      await purge(prisma, new Date(), 30 * day)
      const rows = await query<{ id: string }>(
        service.databaseUrl,
        `select distinct activity_id as id from places join changed_files using (repository_id, activity_id)
          where repository_id = $1 and not is_over`,
        [client.repository.id],
      )
      return rows.map(({ id }) => id).sort()
    }
    expect(await indexed()).toEqual([live, merged].sort())
    expect((await read(client, expired)).changes.files).toMatchObject([{ path: 'src/a.ts' }])
    await older(merged, 7 * day)
    expect(await indexed()).toEqual([live])
    await older(expired, 30 * day)
    await indexed()
    const left = await query<{ id: string }>(
      service.databaseUrl,
      'select id from activities where repository_id = $1',
      [client.repository.id],
    )
    expect(left.map(({ id }) => id).sort()).toEqual([live, merged].sort())
    await prisma.$disconnect()
  })

  it('leaves in the indexes what is kept alive by a write that is not done yet', async () => {
    const client = clientOf(service)
    const id = await start(client, { scope: { areas: ['a'] } })
    await older(id, day + 1_000)
    const { prisma } = openDatabase(service.databaseUrl)
    // A heartbeat of two seconds ago, in a transaction that takes so long.
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`update activities set expires_at = now() + interval '1 hour' where id = ${id}`
      await purge(prisma, new Date(), 30 * day)
    })
    expect(await query(service.databaseUrl, 'select from places where activity_id = $1', [id])).not.toEqual([])
    await prisma.$disconnect()
  })
})
