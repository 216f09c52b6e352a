import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { type ApiResponse, refusal } from '../../support/client.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'

let service: TestService
let capped: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
  capped = await startTestService({
    ...twoConnections,
    settings: { activity_ttl_ms: hour, max_activity_ttl_ms: 90 * minute },
  })
})
afterAll(async () => {
  await service.stop()
  await capped.stop()
})

const work = { title: 'Login', summary: 'Rework the login form.', actor: 'Alice' }

async function record(repository: TestRepository, fields: object = {}) {
  return (await repository.created('/activity', { ...work, ...fields })).activity
}

function iso(from: TestService, ms = 0): string {
  return new Date(from.clock.now().getTime() + ms).toISOString()
}

describe('GET /activity/{id}', () => {
  it('200 with the full record and pr_reminder_due', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.get(`/activity/${id}`, { token: repository.reader })
    expect(answer.status).toBe(200)
    expect(RetrievedActivity.strict().parse(answer.body).pr_reminder_due).toBe(false)
  })

  it('reminds of a pull request from 4 hours on, only of live work on a branch of its own without one', async () => {
    const repository = service.newRepository()
    const branch = { branch: 'feat/x' }
    const due = await record(repository, branch)
    const without = [
      await record(repository),
      await record(repository, { branch: 'main' }),
      await record(repository, {
        ...branch,
        pr_url: `https://github.com/${repository.owner}/${repository.name}/pull/1`,
      }),
    ]
    for (const status of ['planned', 'blocked', 'merged', 'archived']) {
      const other = await record(repository, branch)
      await repository.patch(`/activity/${other.id}`, { status })
      without.push(other)
    }
    const reminds = async (id: string) => (await repository.get(`/activity/${id}`)).body
    service.clock.advance(4 * hour - 1)
    expect(await reminds(due.id)).toMatchObject({ pr_reminder_due: false })
    service.clock.advance(1)
    expect(await reminds(due.id)).toMatchObject({ pr_reminder_due: true })
    for (const { id } of without) expect(await reminds(id)).toMatchObject({ pr_reminder_due: false })
  })

  it('404 for what does not exist, is no id, is in another repository, or in one that can not be seen', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    const { id } = await record(other)
    const answers: ApiResponse[] = []
    for (const missing of [newId('act'), 'x', '%00', '%F0%9F%98%80', newId('ntb'), id.toUpperCase(), id]) {
      answers.push(await repository.get(`/activity/${missing}`))
    }
    answers.push(await other.get(`/activity/${id}`, { token: other.stranger }))
    for (const answer of answers) expect(refusal(answer)).toEqual({ status: 404, code: 'not_found' })
    const bodies = answers.map(({ body }) => JSON.stringify(body).replace(/"request_id":"[^"]*"/, ''))
    expect(new Set(bodies).size).toBe(1)
  })

  it('400 for any parameter', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.get(`/activity/${id}?full=1`)
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['full unknown_field'] })
  })
})

describe('POST /activity/{id}/heartbeat', () => {
  it('200 with exactly the three fields: now, and now plus the lifetime', async () => {
    const repository = service.newRepository()
    const before = await record(repository)
    service.clock.advance(hour)
    const answer = await repository.post(`/activity/${before.id}/heartbeat`)
    const beaten = { id: before.id, heartbeat_at: iso(service), expires_at: iso(service, day) }
    expect(answer).toMatchObject({ status: 200, body: beaten })
    expect(Object.keys(answer.body as object)).toEqual(['id', 'heartbeat_at', 'expires_at'])
    const after = (await repository.get(`/activity/${before.id}`)).body
    expect(after).toEqual({ ...before, ...beaten, pr_reminder_due: false })
  })

  it('keeps work alive past its first expiry', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    for (let n = 0; n < 3; n++) {
      service.clock.advance(23 * hour)
      expect((await repository.post(`/activity/${id}/heartbeat`)).status).toBe(200)
    }
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ status: 'active' })
  })

  it('never passes the cap, and never brings the expiry nearer', async () => {
    const repository = capped.newRepository()
    const { id, created_at, expires_at } = await record(repository)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(hour)
    capped.clock.advance(45 * minute)
    const cap = new Date(Date.parse(created_at) + 90 * minute).toISOString()
    expect((await repository.post(`/activity/${id}/heartbeat`)).body).toMatchObject({ expires_at: cap })
    capped.clock.advance(minute)
    expect((await repository.post(`/activity/${id}/heartbeat`)).body).toMatchObject({ expires_at: cap })
  })

  it('takes the cap as the first lifetime where it is shorter', async () => {
    const short = await startTestService({ ...twoConnections, settings: { max_activity_ttl_ms: minute } })
    const { created_at, expires_at } = await record(short.newRepository())
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(minute)
    await short.stop()
  })

  it('bumps what has ended, and revives nothing', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    await repository.patch(`/activity/${id}`, { status: 'abandoned' })
    service.clock.advance(minute)
    const answer = await repository.post(`/activity/${id}/heartbeat`)
    expect(answer).toMatchObject({ status: 200, body: { heartbeat_at: iso(service), expires_at: iso(service, day) } })
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ status: 'abandoned', archived_at: null })
  })

  it('first archives work whose time is over, and then bumps it', async () => {
    const repository = service.newRepository()
    const { id, expires_at } = await record(repository)
    service.clock.advance(day)
    expect(await repository.post(`/activity/${id}/heartbeat`)).toMatchObject({
      status: 200,
      body: { expires_at: iso(service, day) },
    })
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({
      status: 'archived',
      archived_at: expires_at,
      archived_reason: 'expired',
      heartbeat_at: iso(service),
    })
  })

  it.each([undefined, '', '{}', ' {} '])('accepts the body %j', async (raw) => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const sent = raw === undefined ? {} : { raw }
    expect((await repository.call('POST', `/activity/${id}/heartbeat`, sent)).status).toBe(200)
  })

  it('400 for a body with a field', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.post(`/activity/${id}/heartbeat`, { at: 'now' })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['at unknown_field'] })
  })

  it('403 for a reader, 404 for another repository', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const read = await repository.post(`/activity/${id}/heartbeat`, undefined, { token: repository.reader })
    expect(refusal(read)).toEqual({ status: 403, code: 'forbidden' })
    for (const missing of [id, newId('act'), 'a%00']) {
      const answer = await service.newRepository().post(`/activity/${missing}/heartbeat`)
      expect(refusal(answer)).toEqual({ status: 404, code: 'not_found' })
    }
  })
})

describe('POST /activity/{id}/archive', () => {
  it('200 with exactly the three fields, the same again when repeated', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    service.clock.advance(minute)
    const first = await repository.post(`/activity/${id}/archive`)
    expect(first).toMatchObject({ status: 200, body: { id, status: 'archived', archived_at: iso(service) } })
    expect(Object.keys(first.body as object)).toEqual(['id', 'status', 'archived_at'])
    service.clock.advance(hour)
    expect((await repository.post(`/activity/${id}/archive`)).body).toEqual(first.body)
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({
      status: 'archived',
      archived_reason: 'caller',
    })
  })

  it.each(['planned', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review', 'merged', 'abandoned'])(
    'archives what is %s',
    async (status) => {
      const repository = service.newRepository()
      const { id } = await record(repository)
      await repository.patch(`/activity/${id}`, { status })
      service.clock.advance(minute)
      expect((await repository.post(`/activity/${id}/archive`)).body).toMatchObject({ archived_at: iso(service) })
    },
  )

  it('keeps merged as the reason of merged work', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    await repository.patch(`/activity/${id}`, { status: 'merged' })
    await repository.post(`/activity/${id}/archive`)
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ archived_reason: 'merged' })
  })

  it('answers the expiry of work whose time was over before', async () => {
    const repository = service.newRepository()
    const { id, expires_at } = await record(repository)
    service.clock.advance(2 * day)
    expect((await repository.post(`/activity/${id}/archive`)).body).toMatchObject({ archived_at: expires_at })
  })

  it('sets the time once for many requests at once', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answers = await Promise.all(Array.from({ length: 10 }, () => repository.post(`/activity/${id}/archive`)))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  })

  it('403 for a reader, 404 for another repository', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const read = await repository.post(`/activity/${id}/archive`, undefined, { token: repository.reader })
    expect(refusal(read)).toEqual({ status: 403, code: 'forbidden' })
    const other = await service.newRepository().post(`/activity/${id}/archive`)
    expect(refusal(other)).toEqual({ status: 404, code: 'not_found' })
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ status: 'active' })
  })
})

describe('the end of a record', () => {
  const retention = 30 * day
  const sweepNow = (batchSize?: number) =>
    sweep(service.db, { now: service.clock.now(), retentionMs: retention, ...(batchSize ? { batchSize } : {}) })

  async function isThere(repository: TestRepository, id: string) {
    return (await repository.get(`/activity/${id}`)).status === 200
  }

  it('is the same in every answer before and after the sweeper ran', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    service.clock.advance(day)
    const seen = async () => ({
      one: (await repository.get(`/activity/${id}`)).body,
      live: (await repository.page('/activity')).items,
      archived: (await repository.page('/activity?status=archived')).items,
    })
    const before = await seen()
    const counts = await sweepNow()
    expect(counts.archived).toBeGreaterThan(0)
    expect(await seen()).toEqual(before)
    expect((await sweepNow()).archived).toBe(0)
  })

  it('comes 30 days after it ended, at that instant, whether or not the sweeper ran', async () => {
    const repository = service.newRepository()
    const archived = await record(repository)
    const merged = await record(repository)
    const forgotten = await record(repository)
    await repository.post(`/activity/${archived.id}/archive`)
    await repository.patch(`/activity/${merged.id}`, { status: 'merged' })
    service.clock.advance(retention - 1)
    for (const { id } of [archived, merged, forgotten]) expect(await isThere(repository, id)).toBe(true)
    await repository.post(`/activity/${archived.id}/heartbeat`)
    service.clock.advance(1)
    for (const { id } of [archived, merged]) expect(await isThere(repository, id)).toBe(false)
    expect(await isThere(repository, forgotten.id)).toBe(true)
    expect((await repository.page('/activity?status=merged')).items).toEqual([])
    expect((await repository.post(`/activity/${archived.id}/heartbeat`)).status).toBe(404)
    await sweepNow()
    const count = async () => {
      const { rows } = await service.db.query('select id from activities where repository_id = $1', [repository.id])
      return rows
    }
    expect(await count()).toEqual([{ id: forgotten.id }])
    service.clock.advance(day)
    expect(await isThere(repository, forgotten.id)).toBe(false)
    await sweepNow()
    expect(await count()).toEqual([])
  })

  it('is swept in batches, by two sweepers at once, each record by one of them', async () => {
    const repository = service.newRepository()
    await sweepNow()
    await service.fill(repository, 250)
    service.clock.advance(2 * day)
    const counts = await Promise.all([sweepNow(20), sweepNow(20), sweepNow(20)])
    expect(counts.reduce((sum, { archived }) => sum + archived, 0)).toBe(250)
    service.clock.advance(retention)
    const purged = await Promise.all([sweepNow(20), sweepNow(20)])
    expect(purged.reduce((sum, counted) => sum + counted.purged_activities, 0)).toBeGreaterThanOrEqual(250)
    expect((await repository.page('/activity?status=archived')).items).toEqual([])
  })
})
