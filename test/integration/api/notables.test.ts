import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { categories } from '../../../src/core/enums.ts'
import { Notable } from '../../../src/core/schemas/notable.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { isId, newId } from '../../../src/service/lib/ids.ts'
import { refusal } from '../../support/client.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'

let service: TestService
let strict: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
  strict = await startTestService({
    ...twoConnections,
    settings: { disabled_notable_categories: ['release'], notable_ttl_ms: hour },
  })
})
afterAll(async () => {
  await service.stop()
  await strict.stop()
})

const minimal = { title: 'Careful', summary: 'The schema moves.', importance: 'high', category: 'migration' }

async function ids(repository: TestRepository, query = ''): Promise<string[]> {
  return (await repository.page(`/notables${query}`)).items.map(({ id }) => id)
}

describe('POST /notables: 201', () => {
  it('raises the notable and answers it whole', async () => {
    const repository = service.newRepository()
    const answer = await repository.post('/notables', minimal)
    const notable = Notable.strict().parse(answer.body)
    expect(isId('ntb', notable.id)).toBe(true)
    expect(answer.status).toBe(201)
    expect(notable).toEqual({
      id: notable.id,
      type: 'notable',
      ...minimal,
      status: 'active',
      decision_url: null,
      supersedes: [],
      applies_until: null,
      scope: { areas: [], paths: [] },
      blocking: false,
      author_login: null,
      expires_at: '2026-11-27T09:30:00.000Z',
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
      archived_at: null,
    })
    expect(answer.headers.get('location')).toBe(`/api/v1${repository.path}/notables/${notable.id}`)
    expect((await repository.get(`/notables/${notable.id}`)).body).toEqual(notable)
  })

  it.each(categories)('takes the category %s', async (category) => {
    expect(await service.newRepository().raised({ category })).toMatchObject({ category })
  })

  it('takes any RFC 3339 timestamp with an offset, past ones too', async () => {
    const repository = service.newRepository()
    for (const [sent, kept] of [
      ['2026-11-20T10:30:00+01:00', '2026-11-20T09:30:00.000Z'],
      ['2020-02-29t23:59:60.5z', '2020-03-01T00:00:00.500Z'],
      ['1999-12-31T23:59:59.123456Z', '1999-12-31T23:59:59.123Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ]) {
      expect(await repository.raised({ applies_until: sent })).toMatchObject({ applies_until: kept })
    }
  })

  it('returns a decision_url as it was given', async () => {
    const decision_url = 'HTTPS://Example.com/a%20b?x=1#y'
    expect(await service.newRepository().raised({ decision_url })).toMatchObject({ decision_url })
  })

  it('archives what it supersedes, if that is active, and nothing else', async () => {
    const repository = service.newRepository()
    const old = await repository.raised()
    const archived = await repository.raised()
    await repository.post(`/notables/${archived.id}/archive`)
    const beside = await repository.raised()
    service.clock.advance(minute)
    const supersedes = [old.id, archived.id]
    expect(await repository.raised({ supersedes })).toMatchObject({ supersedes })
    const now = service.clock.now().toISOString()
    const one = async (id: string) => (await repository.get(`/notables/${id}`)).body
    expect(await one(old.id)).toMatchObject({ status: 'archived', archived_at: now })
    expect(await one(archived.id)).not.toMatchObject({ archived_at: now })
    expect(await one(beside.id)).toMatchObject({ status: 'active' })
  })

  it.each([{}, { 'Idempotency-Key': 'once' }])(
    'is not there where what it supersedes could not be archived (%j)',
    async (headers) => {
      const repository = service.newRepository()
      const old = await repository.raised()
      await service.db.query(`
        create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$;
        create trigger breaks_off before update on notables for each row execute function break_off()`)
      const body = { ...minimal, supersedes: [old.id] }
      expect((await repository.post('/notables', body, { headers })).status).toBe(500)
      await service.db.query('drop function break_off() cascade')
      expect((await repository.page('/notables')).items).toMatchObject([{ id: old.id, status: 'active' }])
    },
  )

  it('keeps each superseded id once, in the order of the request', async () => {
    const repository = service.newRepository()
    const [one, other] = [(await repository.raised()).id, (await repository.raised()).id]
    const { id, supersedes } = await repository.raised({ supersedes: [other, one, other, one] })
    expect(supersedes).toEqual([other, one])
    expect((await repository.get(`/notables/${id}`)).body).toMatchObject({ supersedes: [other, one] })
  })

  it('leaves an expired one expired that it supersedes', async () => {
    const repository = service.newRepository()
    const old = await repository.raised()
    service.clock.advance(7 * day)
    await repository.raised({ supersedes: [old.id] })
    expect((await repository.get(`/notables/${old.id}`)).body).toMatchObject({ status: 'expired', archived_at: null })
  })

  it('lives as long as the settings say', async () => {
    const { created_at, expires_at } = await strict.newRepository().raised()
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(hour)
  })
})

describe('POST /notables: refusals', () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ['a missing category', { category: undefined }, ['category required']],
    ['an unknown category', { category: 'fun' }, ['category invalid_value']],
    ['a missing importance', { importance: undefined }, ['importance required']],
    ['a status', { status: 'active' }, ['status unknown_field']],
    ['a local time', { applies_until: '2026-11-20T10:30:00' }, ['applies_until invalid_value']],
    ['30 February', { applies_until: '2026-02-30T00:00:00Z' }, ['applies_until invalid_value']],
    ['a date', { applies_until: '2026-11-20' }, ['applies_until invalid_value']],
    ['the year 0', { applies_until: '0000-01-01T00:00:00Z' }, ['applies_until invalid_value']],
    ['the year 10000 in UTC', { applies_until: '9999-12-31T23:59:59-23:59' }, ['applies_until invalid_value']],
    ['an hour of 24', { applies_until: '2026-12-01T24:00:00Z' }, ['applies_until invalid_value']],
    ['a number for a time', { applies_until: 1 }, ['applies_until invalid_type']],
    ['javascript:', { decision_url: 'javascript:alert(1)' }, ['decision_url invalid_value']],
    ['a relative URL', { decision_url: '/docs/1' }, ['decision_url invalid_value']],
    ['a URL with a user', { decision_url: 'https://a:b@example.com/' }, ['decision_url invalid_value']],
    ['a URL with HTML', { decision_url: 'https://example.com/"><script>' }, ['decision_url invalid_value']],
    ['a long URL', { decision_url: `https://example.com/${'x'.repeat(2048)}` }, ['decision_url too_long']],
    ['null for supersedes', { supersedes: null }, ['supersedes invalid_type']],
    ['101 superseded', { supersedes: Array(101).fill(newId('ntb')) }, ['supersedes too_many']],
    ['what does not exist', { supersedes: [newId('ntb')] }, ['supersedes[0] invalid_value']],
    ['an id that is none', { supersedes: ['x\0'] }, ['supersedes[0] invalid_value']],
  ]
  it.each(cases)('400 for %s', async (_name, change, details) => {
    const answer = await service.newRepository().post('/notables', { ...minimal, ...change })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details })
  })

  it('400 for superseding a notable of another repository, which stays active', async () => {
    const other = service.newRepository()
    const { id } = await other.raised()
    const answer = await service.newRepository().post('/notables', { ...minimal, supersedes: [id] })
    expect(refusal(answer)).toMatchObject({ status: 400, details: ['supersedes[0] invalid_value'] })
    expect((await other.get(`/notables/${id}`)).body).toMatchObject({ status: 'active' })
  })

  it('400 category_not_allowed for a category that the repository disabled', async () => {
    const answer = await strict.newRepository().post('/notables', { ...minimal, category: 'release' })
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'category_not_allowed' })
  })

  it('403 for a reader, 404 for a stranger, 401 without a token', async () => {
    const repository = service.newRepository()
    const as = async (token: string | null) => refusal(await repository.post('/notables', minimal, { token }))
    expect(await as(repository.reader)).toEqual({ status: 403, code: 'forbidden' })
    expect(await as(repository.stranger)).toEqual({ status: 404, code: 'not_found' })
    expect(await as(null)).toEqual({ status: 401, code: 'unauthenticated' })
  })
})

describe('GET /notables', () => {
  it('lists the active ones newest first, and filters by importance, category and area in any case', async () => {
    const repository = service.newRepository()
    const a = await repository.raised({ importance: 'critical', category: 'security', scope: { areas: ['Éa', 'b'] } })
    const b = await repository.raised({ importance: 'low', category: 'security' })
    expect(await ids(repository)).toEqual([b.id, a.id])
    expect(await ids(repository, '?importance=critical')).toEqual([a.id])
    expect(await ids(repository, '?category=security')).toEqual([b.id, a.id])
    expect(await ids(repository, `?area=${encodeURIComponent('éA')}`)).toEqual([a.id])
    expect(await ids(repository, '?area=e')).toEqual([])
    expect(await ids(repository, '?category=security&importance=low')).toEqual([b.id])
  })

  it('leaves out what has ended, and shows it by its status, true at the instant', async () => {
    const repository = service.newRepository()
    const expiring = await repository.raised()
    service.clock.advance(day)
    const archived = await repository.raised()
    await repository.post(`/notables/${archived.id}/archive`)
    const active = await repository.raised()
    service.clock.advance(6 * day)
    const expected = { active: [active.id], archived: [archived.id], expired: [expiring.id] }
    const seen = async () => ({
      active: await ids(repository),
      archived: await ids(repository, '?status=archived'),
      expired: await ids(repository, '?status=expired'),
    })
    expect(await seen()).toEqual(expected)
    const one = async () => (await repository.get(`/notables/${expiring.id}`)).body
    const before = await one()
    expect(before).toMatchObject({ status: 'expired', archived_at: null })
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    expect(await seen()).toEqual(expected)
    expect(await one()).toEqual(before)
  })

  it('pages with a cursor', async () => {
    const repository = service.newRepository()
    const [first, second] = [await repository.raised(), await repository.raised()]
    const page = await repository.page('/notables?limit=1')
    expect(page.items).toMatchObject([{ id: second.id }])
    const next = await repository.page(`/notables?limit=1&cursor=${page.next_cursor}`)
    expect(next).toMatchObject({ items: [{ id: first.id }], next_cursor: null })
  })

  it.each(['importance=huge', 'category=', 'risk=low', 'area=%00', 'status=live', 'limit=1000'])(
    '400 for ?%s',
    async (query) => {
      const answer = await service.newRepository().get(`/notables?${query}`)
      expect(refusal(answer)).toMatchObject({ status: 400, code: 'validation_failed' })
    },
  )

  it('is purged 30 days after it ended', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    service.clock.advance(37 * day - 1)
    expect((await repository.get(`/notables/${id}`)).status).toBe(200)
    service.clock.advance(1)
    expect((await repository.get(`/notables/${id}`)).status).toBe(404)
    expect((await repository.post('/notables', { ...minimal, supersedes: [id] })).status).toBe(400)
    const counts = await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    expect(counts.purged_notables).toBeGreaterThan(0)
    const { rows } = await service.db.query('select 1 from notables where repository_id = $1', [repository.id])
    expect(rows).toEqual([])
  })
})

describe('PATCH /notables/{id}', () => {
  it('changes the fields sent, and only those', async () => {
    const repository = service.newRepository()
    const before = await repository.raised({ decision_url: 'https://example.com/1' })
    service.clock.advance(minute)
    const change = {
      summary: 'Now.',
      importance: 'critical',
      blocking: true,
      applies_until: '2027-01-01T00:00:00.000Z',
    }
    const answer = await repository.patch(`/notables/${before.id}`, change)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, ...change, updated_at: service.clock.now().toISOString() })
    const cleared = { decision_url: null, applies_until: null }
    expect((await repository.patch(`/notables/${before.id}`, cleared)).body).toMatchObject(cleared)
  })

  it('changes nothing by {} or by what is there already', async () => {
    const repository = service.newRepository()
    const before = await repository.raised({ applies_until: '2027-01-01T00:00:00Z' })
    service.clock.advance(minute)
    expect((await repository.patch(`/notables/${before.id}`, {})).body).toEqual(before)
    const same = { summary: before.summary, applies_until: '2027-01-01T01:00:00+01:00' }
    expect((await repository.patch(`/notables/${before.id}`, same)).body).toEqual(before)
  })

  it('writes the expiry first, and still changes what has ended', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    service.clock.advance(8 * day)
    expect((await repository.patch(`/notables/${id}`, { importance: 'low', summary: 'Over.' })).body).toMatchObject({
      status: 'expired',
      summary: 'Over.',
    })
  })

  it.each([
    [{ title: 'x' }, ['title unknown_field']],
    [{ summary: null }, ['summary invalid_type']],
    [{ importance: 'x' }, ['importance invalid_value']],
    [{ scope: {} }, ['scope unknown_field']],
  ])('400 for %j', async (change, details) => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    const answer = await repository.patch(`/notables/${id}`, change)
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details })
  })

  it('404 elsewhere, 403 for a reader', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    for (const missing of [newId('ntb'), newId('act'), 'x%00']) {
      expect(refusal(await repository.patch(`/notables/${missing}`, {}))).toEqual({ status: 404, code: 'not_found' })
    }
    const other = await service.newRepository().patch(`/notables/${id}`, { summary: 'Mine.' })
    expect(refusal(other)).toEqual({ status: 404, code: 'not_found' })
    const read = await repository.patch(`/notables/${id}`, {}, { token: repository.reader })
    expect(refusal(read)).toEqual({ status: 403, code: 'forbidden' })
  })
})

describe('POST /notables/{id}/archive', () => {
  it('200 with exactly the three fields, the same again when repeated', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    service.clock.advance(minute)
    const first = await repository.post(`/notables/${id}/archive`)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ id, status: 'archived', archived_at: service.clock.now().toISOString() })
    service.clock.advance(minute)
    expect((await repository.post(`/notables/${id}/archive`, {})).body).toEqual(first.body)
  })

  it('archives what is expired, too', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    service.clock.advance(8 * day)
    expect((await repository.post(`/notables/${id}/archive`)).body).toMatchObject({ status: 'archived' })
    expect((await repository.get(`/notables/${id}`)).body).toMatchObject({ status: 'archived' })
  })

  it('400 for a body with a field, 404 elsewhere, 403 for a reader', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    expect(refusal(await repository.post(`/notables/${id}/archive`, { why: 'x' }))).toMatchObject({
      details: ['why unknown_field'],
    })
    expect((await service.newRepository().post(`/notables/${id}/archive`)).status).toBe(404)
    const read = await repository.post(`/notables/${id}/archive`, undefined, { token: repository.reader })
    expect(refusal(read)).toEqual({ status: 403, code: 'forbidden' })
  })
})
