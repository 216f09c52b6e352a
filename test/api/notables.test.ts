import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { age, day, hour, minute, query } from '../support/database.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

/** Not the default, which `lifecycle.test.ts` has. */
const retention = 20 * day

let service: TestService
beforeAll(async () => {
  service = await startTestService({ HEADSUP_RETENTION_MS: String(retention) })
})
afterAll(() => service.stop())

const notable = { title: 'Freeze', summary: 'No merges.', importance: 'high', category: 'release' }

async function raise(client: Client, body: object = {}): Promise<string> {
  const { status, body: made } = await client.post('/notables', { ...notable, ...body })
  expect(status).toBe(201)
  return made.id
}

async function list(client: Client, filter = ''): Promise<string[]> {
  return (await client.get(`/notables${filter}`)).body.items.map((one: { id: string }) => one.id)
}

it('§1 a create answers the whole notable, which lasts seven days', async () => {
  const client = clientOf(service, { login: 'alice' })
  const { body } = await client.post('/notables', notable)
  expect(body).toEqual({
    ...{ id: expect.stringMatching(/^ntb_/), type: 'notable', ...notable, status: 'active', blocking: false },
    ...{ decision_url: null, applies_until: null, supersedes: [], scope: { areas: [], paths: [] } },
    ...{ author_login: 'alice', archived_at: null, archived_by: null },
    ...{ created_at: expect.any(String), updated_at: body.created_at },
    expires_at: new Date(Date.parse(body.created_at) + 7 * day).toISOString(),
  })
  expect((await client.get(`/notables/${body.id}`)).body).toEqual(body)
})

it('§9 its lifetime is that of the repository', async () => {
  const client = clientOf(service)
  // A create waits until the settings file was looked for.
  await client.post('/notables', notable)
  const settings = JSON.stringify({ notable_ttl_ms: hour })
  await query(service.databaseUrl, 'update repositories set settings = $2 where repository_id = $1', [
    client.repository.id,
    settings,
  ])
  const { created_at, expires_at } = (await client.post('/notables', notable)).body
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(hour)
})

describe('§2 supersedes', () => {
  it('archives those that are active in the same transaction, and names all', async () => {
    const client = clientOf(service, { login: 'alice' })
    const [active, archived, expired] = [await raise(client), await raise(client), await raise(client)]
    const before = (await client.post(`/notables/${archived}/archive`)).body
    await age(service.databaseUrl, expired, 7 * day)
    const { body } = await client.post('/notables', { ...notable, supersedes: [expired, active, archived, active] })
    expect(body.supersedes).toEqual([expired, active, archived])
    const states = await Promise.all([active, archived, expired].map((id) => client.get(`/notables/${id}`)))
    expect(states.map((one) => one.body)).toMatchObject([
      { status: 'archived', archived_at: body.created_at, archived_by: 'alice' },
      { status: 'archived', archived_at: before.archived_at },
      { status: 'expired', archived_at: null },
    ])
  })

  it('of an id that is no notable of this repository is 400, and nothing is archived', async () => {
    const client = clientOf(service)
    const mine = await raise(client)
    const purged = await raise(client)
    await age(service.databaseUrl, purged, 40 * day)
    for (const id of [await raise(clientOf(service)), 'ntb_01h455vb4pex5vsknk084sn02q', 'x', purged]) {
      const refused = await client.post('/notables', { ...notable, supersedes: [mine, id] })
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'supersedes' }] } } })
    }
    expect(await list(client)).toEqual([mine])
  })

  it('by two at once lets each be told, and archives once', async () => {
    const client = clientOf(service)
    const ids = [await raise(client), await raise(client), await raise(client)]
    // Where one can not be archived, nothing is created.
    const refuse = "alter table notables add constraint no_end check (status = 'active') not valid"
    await query(service.databaseUrl, refuse)
    expect((await client.post('/notables', { ...notable, supersedes: ids })).status).toBe(500)
    await query(service.databaseUrl, 'alter table notables drop constraint no_end')
    expect((await list(client)).toSorted()).toEqual(ids.toSorted())
    const both = await Promise.all(
      [ids, ids.toReversed()].map((supersedes) => client.post('/notables', { ...notable, supersedes })),
    )
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect((await list(client)).toSorted()).toEqual(both.map(({ body }) => body.id).toSorted())
  })
})

describe('§2 PATCH', () => {
  it('of whoever may write changes what is sent, clears links and dates by null, and the same values move nothing', async () => {
    const client = clientOf(service)
    const id = await raise(client, {
      decision_url: 'https://example.com/a',
      applies_until: '2026-11-20T10:30:00+01:00',
    })
    const sent = {
      ...{ title: 'T', summary: 'S', importance: 'critical', blocking: true, scope: { areas: ['Auth'] } },
      ...{ decision_url: null, applies_until: '2027-01-01T00:00:00Z' },
    }
    const colleague = clientOf(service, { repository: client.repository, login: 'bob' })
    const { body } = await colleague.patch(`/notables/${id}`, sent)
    expect(body).toMatchObject({
      ...sent,
      scope: { areas: ['Auth'], paths: [] },
      applies_until: '2027-01-01T00:00:00.000Z',
    })
    for (const same of [sent, {}, { applies_until: '2027-01-01T02:00:00+02:00' }])
      expect((await client.patch(`/notables/${id}`, same)).body).toEqual(body)
    const cleared = await client.patch(`/notables/${id}`, { applies_until: null })
    expect(cleared.body.applies_until).toBeNull()
    expect(cleared.body.updated_at > body.updated_at).toBe(true)
  })

  it('of an ended notable changes its fields and not its status', async () => {
    const client = clientOf(service)
    const [archived, expired] = [await raise(client), await raise(client)]
    await client.post(`/notables/${archived}/archive`)
    await age(service.databaseUrl, expired, 7 * day)
    const states = []
    for (const id of [archived, expired]) states.push((await client.patch(`/notables/${id}`, { title: 'T' })).body)
    expect(states).toMatchObject([
      { title: 'T', status: 'archived' },
      { title: 'T', status: 'expired' },
    ])
  })
})

it('§4 archive works from active and expired, once, and names who did it first', async () => {
  const client = clientOf(service, { login: 'alice' })
  const bob = clientOf(service, { login: 'bob', repository: client.repository })
  const [active, expired] = [await raise(client), await raise(client)]
  await age(service.databaseUrl, expired, 7 * day)
  for (const [id, archived_by] of [
    [active, 'alice'],
    [expired, null],
  ] as const) {
    const first = await client.post(`/notables/${id}/archive`)
    expect(first.body).toEqual({ id, status: 'archived', archived_at: expect.any(String) })
    const ended = (await client.get(`/notables/${id}`)).body
    expect(ended).toMatchObject({ status: 'archived', archived_by })
    expect((await bob.post(`/notables/${id}/archive`)).body).toEqual(first.body)
    expect((await client.get(`/notables/${id}`)).body).toEqual(ended)
  }
})

it('§4 an ended notable is purged HEADSUP_RETENTION_MS after it ended', async () => {
  const client = clientOf(service)
  const [archived, expired] = [await raise(client), await raise(client)]
  await client.post(`/notables/${archived}/archive`)
  await age(service.databaseUrl, archived, retention - minute)
  await age(service.databaseUrl, expired, 7 * day + retention - minute)
  // An archive does not make it last longer.
  await client.post(`/notables/${expired}/archive`)
  for (const id of [archived, expired]) {
    expect((await client.get(`/notables/${id}`)).status).toBe(200)
    await age(service.databaseUrl, id, minute)
    for (const answer of [
      await client.get(`/notables/${id}`),
      await client.patch(`/notables/${id}`, { title: 'T' }),
      await client.post(`/notables/${id}/archive`),
    ])
      expect(answer.status).toBe(404)
  }
  expect([await list(client, '?status=archived'), await list(client, '?status=expired')]).toEqual([[], []])
})

it('§3 lists are of active ones, newest first, and each filter lists what it says', async () => {
  const client = clientOf(service)
  const plain = await raise(client)
  const auth = await raise(client, { importance: 'low', category: 'security', scope: { areas: ['Äuth'] } })
  const [archived, expired] = [await raise(client, { scope: { areas: ['auth'] } }), await raise(client)]
  await client.post(`/notables/${archived}/archive`)
  await age(service.databaseUrl, expired, 7 * day)
  const only: Record<string, string[]> = {
    '': [auth, plain],
    '?importance=low': [auth],
    '?category=security': [auth],
    '?category=testing': [],
    '?area=%C3%A4UTH': [auth],
    '?area=auth': [],
    '?area=auth&status=archived': [archived],
    '?status=active': [auth, plain],
    '?status=archived': [archived],
    '?status=expired': [expired],
    '?limit=1': [auth],
  }
  for (const [filter, ids] of Object.entries(only)) expect([filter, await list(client, filter)]).toEqual([filter, ids])
  const { next_cursor } = (await client.get('/notables?limit=1')).body
  expect((await client.get(`/notables?limit=1&cursor=${next_cursor}`)).body).toMatchObject({ next_cursor: null })
  // What an area says in a list follows a PATCH.
  await client.patch(`/notables/${auth}`, { scope: { areas: ['auth'] } })
  expect([await list(client, '?area=AUTH'), await list(client, '?area=%C3%A4uth')]).toEqual([[auth], []])
})

it('§2 the 1,001st active notable is refused, unless it supersedes one', async () => {
  const client = clientOf(service)
  const first = await raise(client)
  await query(
    service.databaseUrl,
    `insert into notables (repository_id, id, title, summary, category, importance, status, blocking, expires_at, created_at, updated_at)
     select repository_id, 'ntb_' || n, title, summary, category, importance, status, blocking, expires_at, created_at, updated_at
       from notables, generate_series(1, 999) as n where id = $1`,
    [first],
  )
  const refused = await client.post('/notables', notable)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'limit_reached' } } })
  await raise(client, { supersedes: [first] })
})
