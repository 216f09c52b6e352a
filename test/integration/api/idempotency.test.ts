import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findClaim } from '../../../src/service/records/idempotency/claims.sql.ts'
import { refusal } from '../../support/client.ts'
import { day, minute } from '../../support/clock.ts'
import {
  type Created,
  startTestService,
  type TestRepository,
  type TestService,
  twoConnections,
} from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', scope: { paths: ['src/a.ts'] } }
const notable = { title: 'Careful', summary: 'It moves.', importance: 'high', category: 'migration' }

function create(repository: TestRepository, key: string, body: object = work, token?: string) {
  return repository.post('/activity', body, { headers: { 'idempotency-key': key }, ...(token ? { token } : {}) })
}

async function count(repository: TestRepository, path = '/activity'): Promise<number> {
  return (await repository.page(path)).items.length
}

describe('an Idempotency-Key', () => {
  it('answers a repetition with the first response, word for word, and creates nothing', async () => {
    const repository = service.newRepository()
    const first = await create(repository, 'k1')
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    service.clock.advance(minute)
    await repository.created('/activity', work)
    const again = await create(repository, 'k1')
    expect(again.status).toBe(201)
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await count(repository)).toBe(2)
  })

  it('works for notables, and apart from those of activities', async () => {
    const repository = service.newRepository()
    const headers = { 'idempotency-key': 'k1' }
    const first = await repository.post('/notables', notable, { headers })
    const again = await repository.post('/notables', notable, { headers })
    expect(again.body).toEqual(first.body)
    expect(await count(repository, '/notables')).toBe(1)
    expect((await create(repository, 'k1')).headers.get('idempotency-replayed')).toBeNull()
  })

  it('409 with another body', async () => {
    const repository = service.newRepository()
    await create(repository, 'k1')
    const answer = await create(repository, 'k1', { ...work, title: 'Other' })
    expect(refusal(answer)).toEqual({ status: 409, code: 'idempotency_key_reused' })
    expect(await count(repository)).toBe(1)
  })

  const texts = { agent: null, branch: null, base_branch: null, pr_url: null }
  const defaults = { risk: 'low', draft_pr: false, blocking: false }

  it.each<[string, '/activity' | '/notables', object, object]>([
    ['an activity with nulls and without', '/activity', work, { ...work, ...texts }],
    [
      'an activity with its defaults and without',
      '/activity',
      work,
      { ...defaults, ...work, scope: { ...work.scope, areas: null } },
    ],
    [
      'an activity without a scope and with an empty one',
      '/activity',
      { ...work, scope: null },
      { ...work, scope: { areas: [], paths: null } },
    ],
    [
      'a notable with nulls and without',
      '/notables',
      notable,
      { ...notable, decision_url: null, applies_until: null, scope: null },
    ],
  ])('takes for one body, whichever comes first: %s', async (_, path, plain, spelled) => {
    for (const [first, second] of [
      [plain, spelled],
      [spelled, plain],
    ]) {
      const repository = service.newRepository()
      const headers = { 'idempotency-key': 'k1' }
      expect((await repository.post(path, first, { headers })).status).toBe(201)
      const again = await repository.post(path, second, { headers })
      expect(again).toMatchObject({ status: 201 })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
  })

  it.each([
    { agent: 'null' },
    { branch: 'main' },
    { scope: null },
    { scope: { areas: ['src/a.ts'] } },
    { blocking: true },
  ])('409 with %j, which means something else', async (change) => {
    const repository = service.newRepository()
    expect((await create(repository, 'k1', { ...work, ...texts })).status).toBe(201)
    expect(refusal(await create(repository, 'k1', { ...work, ...change }))).toMatchObject({ status: 409 })
  })

  it('belongs to one caller and one repository', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    await create(repository, 'k1')
    expect(
      (await create(repository, 'k1', work, repository.otherWriter)).headers.get('idempotency-replayed'),
    ).toBeNull()
    expect((await create(other, 'k1')).headers.get('idempotency-replayed')).toBeNull()
    expect(await count(repository)).toBe(2)
  })

  it('creates one record when two, or ten, come at once on two instances', async () => {
    const first = await startTestService()
    const second = await startTestService({ sharedWith: first })
    for (let round = 0; round < 20; round++) {
      const repository = first.newRepository()
      const through = [repository, second.as(repository)]
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(through[n % 2] ?? repository, 'k')))
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
      expect(await count(repository)).toBe(1)
    }
    await second.stop()
    await first.stop()
  })

  it('computes the overlap again where the first try ended without a response', async () => {
    const repository = service.newRepository()
    const first = (await create(repository, 'k1')).body as Created
    await service.db.query('update idempotency_keys set answer = null where repository_id = $1', [repository.id])
    const other = await repository.created('/activity', work)
    const again = await create(repository, 'k1')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const { activity, overlap } = again.body as Created
    expect(activity).toEqual(first.activity)
    expect(overlap.related_activity_ids).toEqual([other.activity.id])
  })

  it('is forgotten after 24 hours', async () => {
    const repository = service.newRepository()
    await create(repository, 'k1')
    service.clock.advance(day - 1)
    expect((await create(repository, 'k1')).headers.get('idempotency-replayed')).toBe('true')
    service.clock.advance(1)
    expect((await create(repository, 'k1')).headers.get('idempotency-replayed')).toBeNull()
  })

  it('is freed by anything but a 201', async () => {
    const repository = service.newRepository()
    expect((await create(repository, 'k1', { ...work, title: '' })).status).toBe(400)
    expect((await create(repository, 'k1')).status).toBe(201)
  })

  it('checks access first', async () => {
    const repository = service.newRepository()
    await create(repository, 'k1')
    expect((await create(repository, 'k1', work, repository.reader)).status).toBe(403)
  })

  it('leaves no trace of the token or the key in the database', async () => {
    const repository = service.newRepository()
    await create(repository, 'my-own-key')
    const { rows } = await service.db.query('select * from idempotency_keys where repository_id = $1', [repository.id])
    expect(rows).toHaveLength(1)
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain('my-own-key')
    expect(text).not.toContain(repository.writer)
  })

  it.each(['', 'a b', 'ä', 'x'.repeat(256)])('400 for the key %j', async (key) => {
    const repository = service.newRepository()
    const raw = Buffer.from(key, 'utf8').toString('latin1')
    const answer = await create(repository, raw)
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'validation_failed',
      details: ['Idempotency-Key invalid_value'],
    })
  })

  it('is checked before the body', async () => {
    const answer = await create(service.newRepository(), 'a b', { ...work, title: '' })
    expect(refusal(answer)).toMatchObject({ details: ['Idempotency-Key invalid_value'] })
  })

  it('finds no claim of a key that was never used', async () => {
    const key = { repositoryId: 1n, keyHash: 'none' }
    expect(await findClaim(service.db.prisma, key, service.clock.now())).toBeUndefined()
  })
})
