import { connect } from 'node:net'
import type { Request } from 'express'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayWait } from '../../src/service/api/caller.ts'
import { allOperations } from '../../src/service/api/operations/index.ts'
import { createStreams } from '../../src/service/live/send-versions.ts'
import { githubApiUrl, newRepository } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
let client: Client
beforeAll(async () => {
  service = await startTestService()
  client = clientOf(service)
})
afterAll(() => service.stop())

const unknownId = 'act_01h455vb4pex5vsknk084sn02q'
const fieldsOf = (body: { error: { details: { field: string }[] } }) => body.error.details.map(({ field }) => field)

/** Without the client's checks and headers. */
function raw(path: string, init: RequestInit = {}) {
  return fetch(service.url + path, init)
}

describe('§2 the order of refusals', () => {
  const tooLarge = 'x'.repeat(1_048_577)

  it('answers 404 for an unknown route and 405 with Allow before it asks for a token', async () => {
    const at = `/api/v1/repos/acme/${client.repository.name}`
    for (const path of ['/api', '/api/v1/repos', `${at}/nothing`, `${at}/activity/${unknownId}/nothing`])
      expect((await raw(path)).status, path).toBe(404)
    for (const [method, path, allow] of [
      ['PUT', `${at}/activity`, 'GET, HEAD, POST'],
      ['DELETE', `${at}/activity/${unknownId}`, 'GET, HEAD, PATCH'],
      ['OPTIONS', `${at}/activity/check`, 'POST'],
      ['GET', `${at}/activity/check`, 'POST'],
      ['PATCH', `${at}/activity/check`, 'POST'],
      ['POST', '/api/v1', 'GET, HEAD'],
      ['GET', '/mcp', 'POST'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['POST', '/acme/shop', 'GET, HEAD'],
      ['POST', '/-/sign-in', 'GET'],
      ['POST', '/-/callback', 'GET'],
    ] as const) {
      const response = await raw(path, { method })
      expect([response.status, response.headers.get('allow')], `${method} ${path}`).toEqual([405, allow])
      expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
    }
  })

  it('answers 401, 404 of the repository and 403 before it reads a body', async () => {
    const { owner, name } = client.repository
    const unread = { method: 'POST', body: tooLarge }
    const noToken = await raw(`/api/v1/repos/${owner}/${name}/activity`, unread)
    expect(noToken.status).toBe(401)
    expect(noToken.headers.get('www-authenticate')).toBe('Bearer')

    const hidden = newRepository()
    nock(githubApiUrl).get(`/repos/acme/${hidden.name}`).reply(404, { message: 'Not Found' })
    const headers = { authorization: `Bearer ${client.token}` }
    const invisible = await raw(`/api/v1/repos/acme/${hidden.name}/activity`, { ...unread, headers })
    expect(await invisible.json()).toMatchObject({ error: { code: 'not_found' } })

    const reader = clientOf(service, { permission: 'pull' })
    expect((await reader.post('/activity', tooLarge)).body.error.code).toBe('forbidden')
    expect((await reader.patch(`/activity/${unknownId}`, '{')).body.error.code).toBe('forbidden')
    expect((await reader.post('/activity/check', '{')).body.error.code).toBe('invalid_json')
  })

  it('answers 400 and 413 before 404 of the record', async () => {
    expect((await client.patch(`/activity/${unknownId}`, { nothing: 1 })).status).toBe(400)
    expect((await client.patch(`/activity/${unknownId}?nothing=1`, {})).status).toBe(400)
    expect((await client.patch(`/activity/${unknownId}`, tooLarge)).status).toBe(413)
    expect((await client.patch(`/activity/${unknownId}`, {})).status).toBe(404)
  })

  it('answers 404 for what is no id of the kind, and never asks the database', async () => {
    for (const id of [
      '1',
      '%00',
      unknownId.toUpperCase(),
      unknownId.replace('act', 'ntb'),
      `${unknownId}0`,
      '%F0%9F%98%80',
    ])
      expect((await client.get(`/activity/${id}`)).body.error.code, id).toBe('not_found')
    expect((await client.get(`/notables/${unknownId}`)).status).toBe(404)
  })
})

it('§7 reading and checking need pull, all else needs push', async () => {
  const reader = clientOf(service, { permission: 'pull' })
  const refused = []
  for (const { id, method, path } of allOperations(createStreams({ follow: () => () => {}, stop() {} }))) {
    if (id === 'followRepository') continue
    const { status } = await reader.request(
      method.toUpperCase(),
      path.replace(':id', unknownId),
      method === 'get' ? undefined : {},
    )
    if (status === 403) refused.push(id)
  }
  const ofActivities = ['createActivity', 'updateActivity', 'heartbeatActivity', 'archiveActivity']
  expect(refused).toEqual([...ofActivities, 'createNotable', 'updateNotable', 'archiveNotable'])
})

describe('§2 routes', () => {
  it('takes no trailing slash and no other case', async () => {
    for (const path of ['/api/v1/', '/api/V1', '/api/v1/openapi.json/', '/healthz/', '/mcp/'])
      expect((await raw(path, { method: path === '/mcp/' ? 'POST' : 'GET' })).status, path).toBe(404)
    for (const path of ['/activity/', '/Activity', `/activity/${unknownId}/`])
      expect((await client.get(path)).status, path).toBe(404)
  })

  it('tells without a token which service this is', async () => {
    const response = await raw('/api/v1')
    expect(response.status).toBe(200)
    const about = {
      name: 'headsup',
      version: expect.any(String),
      github_server_url: 'https://github.com',
      public_url: null,
    }
    expect(await response.json()).toEqual(about)
  })

  it('names the path of what was made in Location', async () => {
    const { body, headers } = await client.post('/activity', work)
    const { owner, name } = client.repository
    expect(headers.get('location')).toBe(`/api/v1/repos/${owner}/${name}/activity/${body.activity.id}`)
    const notable = { title: 'A freeze', summary: 'Until Monday.', importance: 'high', category: 'release' }
    const raised = await client.post('/notables', notable)
    expect(raised.headers.get('location')).toBe(`/api/v1/repos/${owner}/${name}/notables/${raised.body.id}`)
  })
})

describe('§2 answers', () => {
  it('are for this caller alone, and 304 while nothing has changed', async () => {
    const own = clientOf(service)
    await own.post('/activity', work)
    const first = await own.get('/activity')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\//)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toBe('Authorization, Cookie')
    // Browsers send this with each `If-None-Match`.
    const again = await own.get('/activity', { 'if-none-match': etag, 'cache-control': 'no-cache' })
    expect([again.status, again.body]).toEqual([304, ''])
    await own.post('/activity', work)
    expect((await own.get('/activity', { 'if-none-match': etag })).status).toBe(200)
  })

  it('have no body for HEAD, which ends at once for a stream', async () => {
    const { status, body, headers } = await client.request('HEAD', '/activity')
    expect([status, body, headers.get('etag')]).toEqual([200, '', expect.stringMatching(/^W/)])
    const { owner, name } = client.repository
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const head = `HEAD /api/v1/repos/${owner}/${name}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
    socket.write(`${head}Authorization: Bearer ${client.token}\r\n\r\n`)
    // It ends when the server ends it.
    expect(String(Buffer.concat(await socket.toArray()))).toMatch(/^HTTP\/1.1 200 .*text\/event-stream.*\r\n\r\n$/s)
    expect((await client.request('HEAD', `/activity/${unknownId}`)).status).toBe(404)
  })

  it('allow no page of another origin', async () => {
    const { headers } = await client.get('/activity', { origin: 'https://evil.example' })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('have an id that is never the caller’s, which errors name', async () => {
    const failed = await client.get('/nothing', { 'x-request-id': 'mine' })
    expect(failed.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(failed.body.error.request_id).toBe(failed.headers.get('x-request-id'))
    for (const path of ['/healthz', '/readyz', '/api/v1'])
      expect((await raw(path)).headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('§2 parameters and fields', () => {
  it.each([
    ['?nothing=1', ['nothing']],
    ['?risk=low&risk=high', ['risk']],
    ['?risk=', ['risk']],
    ['?branch=', ['branch']],
    ['?cursor=', ['cursor']],
    ['?limit=', ['limit']],
    ['?mine=', ['mine']],
    ['?has_pr=yes', ['has_pr']],
    ['?risk[]=low', ['risk[]']],
    ['?__proto__=1', ['__proto__']],
    ['?nothing=1&risk=no', ['risk', 'nothing']],
  ])('refuses the query %s by name', async (query, fields) => {
    const { status, body } = await client.get(`/activity${query}`)
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
    expect(
      fieldsOf(body)
        .map((field) => field.replace(/^\["(.*)"\]$/, '$1'))
        .sort(),
    ).toEqual([...fields].sort())
  })

  it.each([
    [{ ...work, nothing: 1 }, ['nothing']],
    [{ ...work, scope: { path: ['a'] } }, ['scope.path']],
    [{ ...work, changes: { files: [{ path: 'a', mode: 1 }] } }, ['changes.files[0].mode']],
    [{ summary: 'No title.', actor: 'Ana', risk: 'huge' }, ['title', 'risk']],
    ['{"title": "a", "summary": "b", "actor": "c", "__proto__": {}}', ['__proto__']],
    [[], ['']],
    ['null', ['']],
  ])('refuses fields of a body by name: %j', async (body, fields) => {
    const answer = await client.post('/activity', body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed'])
    expect(fieldsOf(answer.body)).toEqual(fields)
  })

  it('names 50 of very many faults, and cuts their names', async () => {
    const body = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at} ${'x'.repeat(300)}`, at]))
    const { error } = (await client.post('/activity', body)).body
    expect(error.details).toHaveLength(50)
    expect(JSON.stringify(error).length).toBeLessThan(50_000)
  })

  it('refuses parameters of a request with a body too', async () => {
    expect(fieldsOf((await client.post('/activity?dry=true', work)).body)).toEqual(['dry'])
    expect(fieldsOf((await client.post(`/activity/${unknownId}/archive`, { why: 'done' })).body)).toEqual(['why'])
  })

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('refuses the Idempotency-Key %j', async (key) => {
    const answer = await client.post('/activity', work, { 'idempotency-key': Buffer.from(key).toString('latin1') })
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['Idempotency-Key']])
  })
})

it.each([
  ['wait=0', false],
  ['respond-async, wait=0', false],
  ['wait=10', true],
  ['wait=05', true],
  [undefined, true],
])('§8 Prefer: %s lets a check wait for a reading: %s', (prefer, expected) => {
  expect(mayWait({ get: () => prefer } as unknown as Request)).toBe(expected)
})

describe('§2 bodies', () => {
  const padded = (bytes: number) => `${JSON.stringify(work)}${' '.repeat(bytes - JSON.stringify(work).length)}`

  it('are JSON whatever their Content-Type, and none is {}', async () => {
    const sent = { 'content-type': 'text/plain;charset=latin1' }
    expect((await client.post('/activity/check', { tags: ['ü'] }, sent)).status).toBe(200)
    expect((await client.request('POST', '/activity/check')).status).toBe(200)
  })

  it('are refused where they are not JSON in UTF-8, or are not encoded as they say', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    for (const [body, headers] of [
      ['{', {}],
      ['', {}],
      ['\ufeff{', {}],
      ['{}', gzip],
      ['{}', { 'content-encoding': 'x' }],
    ] as const)
      expect((await client.post('/activity/check', body, headers)).status, body).toBe(body === '' ? 200 : 400)
    const { owner, name } = client.repository
    const response = await raw(`/api/v1/repos/${owner}/${name}/activity/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_json' } })
  })

  it('are at most 1 MiB', async () => {
    expect((await client.post('/activity', padded(1_048_576))).status).toBe(201)
    const larger = await client.post('/activity', padded(1_048_577))
    expect([larger.status, larger.body.error.code]).toEqual([413, 'payload_too_large'])
  })
})
