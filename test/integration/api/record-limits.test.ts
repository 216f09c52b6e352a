import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import type { ApiResponse } from '../../support/client.ts'
import { day, second } from '../../support/clock.ts'
import { connectModel } from '../../support/mcp.ts'
import { startTestService, type TestService, twoConnections } from '../../support/service.ts'

let service: TestService

const retentionMs = 30 * day
const recordLimits = { liveActivities: 3, notables: 4, records: 6 }

beforeAll(async () => {
  service = await startTestService({ ...twoConnections, recordLimits, retentionMs })
})
afterAll(() => service.stop())

const work = { title: 'T', summary: 'S', actor: 'A', scope: { paths: ['src/**'] } }
const notable = { title: 'Careful', summary: 'It moves.', importance: 'low', category: 'warning' }
const scoped = { ...notable, scope: { areas: ['web'] } }

/** Creates with the count of the second before. */
async function later(sent: () => Promise<ApiResponse>): Promise<ApiResponse> {
  service.clock.advance(second)
  return sent()
}

async function expectReached(sent: Promise<ApiResponse>, limit: string, ...said: string[]) {
  const { status, body } = await sent
  expect({ status, body }).toMatchObject({ status: 409, body: { error: { code: 'limit_reached', limit } } })
  for (const part of said) expect(body).toHaveProperty('error.message', expect.stringContaining(part))
}

describe('a repository that holds as many records as it may', () => {
  it('takes no further live activity, until one has ended', async () => {
    const repository = service.newRepository()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await repository.created('/activity', work)).activity.id)
    const create = () => later(() => repository.post('/activity', work))
    await expectReached(create(), 'live_activities', '3 live activities', 'HEADSUP_MAX_LIVE_ACTIVITIES')
    expect((await repository.page('/activity')).items).toHaveLength(3)
    await repository.post(`/activity/${ids[0]}/archive`)
    expect((await create()).status).toBe(201)
    await expectReached(create(), 'live_activities')
    service.clock.advance(2 * day)
    expect((await create()).status, 'expired, though not swept').toBe(201)
  })

  it('takes no further notable, until one has ended', async () => {
    const repository = service.newRepository()
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await repository.raised(scoped)).id)
    const raise = () => later(() => repository.post('/notables', scoped))
    await expectReached(raise(), 'notables', '4 active notables', 'HEADSUP_MAX_NOTABLES')
    await expectReached(
      later(() => repository.post('/notables', notable)),
      'notables',
    )
    expect((await later(() => repository.post('/activity', work))).status, 'another kind').toBe(201)
    await repository.post(`/notables/${ids[0]}/archive`)
    expect((await raise()).status).toBe(201)
  })

  it('counts ended records until they are purged', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 5; n++) {
      const { activity } = await repository.created('/activity', work)
      await repository.post(`/activity/${activity.id}/archive`)
    }
    const { id } = await repository.raised(scoped)
    await repository.post(`/notables/${id}/archive`)
    const said = ['6 records, ended ones included', 'HEADSUP_MAX_RECORDS']
    await expectReached(
      later(() => repository.post('/activity', work)),
      'records',
      ...said,
    )
    await expectReached(
      later(() => repository.post('/notables', scoped)),
      'records',
      ...said,
    )
    service.clock.advance(retentionMs)
    await sweep(service.db, { now: service.clock.now(), retentionMs })
    expect((await later(() => repository.post('/activity', work))).status).toBe(201)
    expect((await later(() => repository.post('/notables', scoped))).status).toBe(201)
  })

  it('counts only its own records', async () => {
    for (const repository of [service.newRepository(), service.newRepository()]) {
      for (let n = 0; n < 3; n++) await repository.created('/activity', work)
    }
    expect((await later(() => service.newRepository().post('/activity', work))).status).toBe(201)
  })

  it('counts once a second: what is created meanwhile passes', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 5; n++) await repository.created('/activity', work)
    await expectReached(
      later(() => repository.post('/activity', work)),
      'live_activities',
    )
  })

  it('is refused by each instance, whichever took the records', async () => {
    const other = await startTestService({ sharedWith: service, recordLimits })
    const repository = service.newRepository()
    for (let n = 0; n < 3; n++) await repository.created('/activity', work)
    await expectReached(other.as(repository).post('/activity', work), 'live_activities')
    await expectReached(
      later(() => repository.post('/activity', work)),
      'live_activities',
    )
    await other.stop()
  })

  it('answers a repeated create as before, and refuses one that never was', async () => {
    const repository = service.newRepository()
    const key = (name: string) => ({ headers: { 'Idempotency-Key': name } })
    const first = await repository.post('/activity', work, key('a'))
    for (let n = 0; n < 2; n++) await repository.created('/activity', work)
    const again = await later(() => repository.post('/activity', work, key('a')))
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await expectReached(
      later(() => repository.post('/activity', work, key('b'))),
      'live_activities',
    )
    service.clock.advance(2 * day)
    expect((await repository.post('/activity', work, key('b'))).status, 'the refused key is free').toBe(201)
  })

  it('still takes changes, heartbeats and checks', async () => {
    const repository = service.newRepository()
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await repository.created('/activity', work)).activity.id)
    const answers = await Promise.all([
      repository.patch(`/activity/${ids[0]}`, { scope: { paths: ['docs/**'] }, status: 'paused' }),
      repository.post(`/activity/${ids[0]}/heartbeat`),
      repository.post('/activity/check', work),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('reports an invalid body first', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 4; n++) await repository.raised(scoped)
    const supersedes = ['ntb_01h455vb4pex5vsknk084sn02q']
    expect((await later(() => repository.post('/notables', { ...scoped, supersedes }))).status).toBe(400)
  })

  it('names the limit and what to do to a model', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 3; n++) await repository.created('/activity', work)
    service.clock.advance(second)
    const model = await connectModel(service.url, repository.writer)
    const text = await model.refused('start_activity', {
      repository: `${repository.owner}/${repository.name}`,
      ...work,
    })
    await model.close()
    expect(text).toMatch(/^limit_reached: .*HEADSUP_MAX_LIVE_ACTIVITIES/)
    expect(text).toContain('error.limit: live_activities')
    expect(text).toMatch(/What to do: Archive/)
  })
})

it('a repository holds at most 100 active notables about the whole of it, by default', async () => {
  const usual = await startTestService(twoConnections)
  const repository = usual.newRepository()
  await usual.fillNotables(repository, 100, () => ({ areas: [], paths: [] }))
  await expectReached(
    repository.post('/notables', notable),
    'repository_notables',
    '100 active notables about the whole',
  )
  expect((await repository.post('/notables', scoped)).status).toBe(201)
  const { items } = await repository.page('/notables?limit=2')
  await repository.post(`/notables/${items[1]?.id}/archive`)
  usual.clock.advance(second)
  expect((await repository.post('/notables', notable)).status).toBe(201)
  await usual.stop()
})

it('creates that run at once share one count', async () => {
  const counts: string[] = []
  const own = await startTestService({ ...twoConnections, recordLimits })
  const { pool } = own.db
  const query = pool.query.bind(pool)
  pool.query = new Proxy(query, {
    apply: (target, self, given) => {
      if (String(given[0]).includes('live_activities')) counts.push(String(given[0]))
      return Reflect.apply(target, self, given)
    },
  })
  const repository = own.newRepository()
  await repository.check()
  await Promise.all(Array.from({ length: 20 }, () => repository.post('/activity', work)))
  expect(counts).toHaveLength(1)
  own.clock.advance(second)
  await Promise.all(Array.from({ length: 20 }, () => repository.post('/activity', work)))
  expect(counts).toHaveLength(2)
  await own.stop()
})

it('a count that fails is 503, and the next create counts again', async () => {
  const own = await startTestService(twoConnections)
  const { pool } = own.db
  const query = pool.query.bind(pool)
  let fails = true
  pool.query = new Proxy(query, {
    apply: (target, self, given) => {
      if (fails && String(given[0]).includes('live_activities')) {
        return Promise.reject(Object.assign(new Error('down'), { code: '57P03' }))
      }
      return Reflect.apply(target, self, given)
    },
  })
  const repository = own.newRepository()
  expect((await repository.post('/activity', work)).status).toBe(503)
  fails = false
  expect((await repository.post('/activity', work)).status).toBe(201)
  await own.stop()
})
