import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../../src/service/app.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { mergeSettings } from '../../../src/service/records/settings/effective.ts'
import { call, errorOf, refusal } from '../../support/client.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import {
  type AccessSetup,
  invisible,
  noPush,
  rejected,
  setUpAccess,
  visible,
} from '../../unit/github/access/access-setup.ts'

const ssoUrl = 'https://github.com/orgs/acme/sso?authorization_request=SECRET'
const sso = { status: 403, headers: { 'X-GitHub-SSO': `required; url=${ssoUrl}` }, body: { message: 'SAML' } }
const activity = { title: 'Login', summary: 'Rework it.', actor: 'Alice' }
const notable = { title: 'Careful', summary: 'Frozen.', importance: 'high', category: 'process' }

const reads: [string, string, unknown?][] = [
  ['GET', '/activity'],
  ['GET', `/activity/${newId('act')}`],
  ['POST', '/activity/check', {}],
  ['GET', '/notables'],
  ['GET', `/notables/${newId('ntb')}`],
  ['GET', '/settings'],
]
const writes: [string, string, unknown?][] = [
  ['POST', '/activity', activity],
  ['PATCH', `/activity/${newId('act')}`, { risk: 'high' }],
  ['POST', `/activity/${newId('act')}/heartbeat`],
  ['POST', `/activity/${newId('act')}/archive`],
  ['POST', '/notables', notable],
  ['PATCH', `/notables/${newId('ntb')}`, { importance: 'low' }],
  ['POST', `/notables/${newId('ntb')}/archive`],
]

const db = await openTestDatabase()

let repositoryIds = 1_000

/** Starts the service with a stand-in for GitHub. `log` has the lines of both the service and the access module. */
async function service(options: Parameters<typeof setUpAccess>[0] & { trustedProxies?: string[] } = {}) {
  const setup = await setUpAccess(options)
  const id = ++repositoryIds
  setup.respond(visible({ id }))
  const line = (level: string) => (fields: object, message: string) => void setup.log.push({ level, fields, message })
  const app = createApp({
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    db,
    access: setup.access,
    settingsOf: async () => ({ ...mergeSettings({}, {}), file: null, problems: [] }),
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    now: () => new Date(),
    retentionMs: 86_400_000,
    githubServerUrl: 'https://github.com',
    address: {
      publicUrl: undefined,
      allowedHosts: [],
      listensOn: () => server.address() as AddressInfo,
    },
    isStopping: () => false,
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (method: string, path: string, body?: unknown, token = 'ghp_secret', name = 'octocat/hello') =>
    call(`${url}/api/v1/repos/${name}${path}`, { method, token, ...(body === undefined ? {} : { body }) })
  return { ...setup, id, url, send }
}

/** Sends the path and the headers unchanged. */
function raw(url: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

describe('every route', () => {
  it.each([...reads, ...writes])(
    '%s %s answers a stranger as if the record were missing',
    async (method, path, body) => {
      const { send, respond } = await service()
      const missing = await send('GET', `/activity/${newId('act')}`)
      respond(invisible)
      const denied = await send(method, path, body, 'ghp_stranger')
      expect(refusal(denied)).toEqual({ status: 404, code: 'not_found' })
      const { request_id: _, ...error } = errorOf(denied)
      const { request_id: __, ...errorOfMissing } = errorOf(missing)
      expect(error).toEqual(errorOfMissing)
    },
  )

  it.each(reads)('%s %s needs read access', async (method, path, body) => {
    const { send, respond, id, github } = await service()
    respond(visible({ id, permissions: noPush }))
    expect([200, 404]).toContain((await send(method, path, body)).status)
    expect((await send(method, path, body, 'ghs_installation')).status).not.toBe(403)
    const asked = Array(2).fill('GET /repos/octocat/hello')
    // The settings say whether the token may write, which GitHub shows of this token by another request alone.
    const probe = path === '/settings' ? ['POST /repos/octocat/hello/releases/generate-notes'] : []
    expect(github.received).toEqual([...asked, ...probe])
  })

  it.each(writes)('%s %s needs write access', async (method, path, body) => {
    const { send, respond, id } = await service()
    respond(visible({ id, permissions: noPush }))
    expect(refusal(await send(method, path, body))).toEqual({ status: 403, code: 'forbidden' })
  })

  it.each([...reads, ...writes])('%s %s needs a token that GitHub accepts', async (method, path, body) => {
    const { url, send, respond } = await service()
    const none = await call(`${url}/api/v1/repos/octocat/hello${path}`, { method, ...(body ? { body } : {}) })
    expect(refusal(none)).toEqual({ status: 401, code: 'unauthenticated' })
    respond(rejected)
    const bad = await send(method, path, body)
    expect(refusal(bad)).toEqual({ status: 401, code: 'invalid_token' })
    expect([none, bad].map(({ headers }) => headers.get('www-authenticate'))).toEqual(['Bearer', 'Bearer'])
  })

  it.each([...reads, ...writes])('%s %s grants no access if GitHub fails', async (method, path, body) => {
    const { send, respond } = await service()
    respond({ status: 500, body: {} })
    const response = await send(method, path, body)
    expect(refusal(response)).toEqual({ status: 503, code: 'github_unavailable' })
    expect(response.headers.get('retry-after')).toBe('10')
  })
})

describe('a caller', () => {
  it.each(['Basic Z2hwX3NlY3JldA==', 'token', 'tokens ghp_secret', 'Bearer', 'Bearer '])(
    'that sends %j has sent no token',
    async (authorization) => {
      const { url, github } = await service()
      const response = await call(`${url}/api/v1/repos/octocat/hello/activity`, { headers: { authorization } })
      expect(refusal(response)).toEqual({ status: 401, code: 'unauthenticated' })
      expect(github.received).toEqual([])
    },
  )

  it('gets the URL of single sign-on', async () => {
    const { send, respond } = await service()
    respond(sso)
    const response = await send('GET', '/activity')
    expect(refusal(response)).toEqual({ status: 403, code: 'sso_required' })
    expect(response.headers.get('x-github-sso')).toBe(`required; url=${ssoUrl}`)
  })

  it('gets a Retry-After with the end of the rate limit at GitHub', async () => {
    const { send, respond } = await service()
    respond({ status: 429, headers: { 'Retry-After': '17' }, body: {} })
    const response = await send('GET', '/activity')
    expect(refusal(response)).toEqual({ status: 429, code: 'github_rate_limited' })
    expect(response.headers.get('retry-after')).toBe('17')
  })

  it.each([
    '/repos/octocat/%2e%2e',
    '/repos/octocat/..%2fuser',
    '/repos/%2e%2e/user',
    '/repos/octocat/%00',
    '/repos/octo.cat/x',
  ])('gets a 404 for the path %s', async (path) => {
    const { url, github } = await service()
    expect(await raw(url, `/api/v1${path}/activity`, { authorization: 'Bearer ghp_secret' })).toBe(404)
    expect(github.received).toEqual([])
  })

  it.each(['Bearer gh\xe9', 'Bearer a b', `Bearer ${'x'.repeat(10_240)}`, 'Bearer a\tb'])(
    'with the impossible token %j gets a 401 without a request to GitHub',
    async (authorization) => {
      const { url, github } = await service()
      expect(await raw(url, '/api/v1/repos/octocat/hello/activity', { authorization })).toBe(401)
      expect(github.received).toEqual([])
    },
  )

  const unknownTokenSlot = { everyMs: 60_000, waiting: 0, waitMs: 60_000 }

  it('with an unknown token waits for a turn after 20 rejected tokens from its address, whatever its forwarding headers say', async () => {
    const { url, send, respond, github } = await service({ limits: { unknownTokenSlot } })
    expect((await send('GET', '/activity', undefined, 'ghp_known')).status).toBe(200)
    respond(rejected)
    for (let i = 0; i < 20; i++) expect((await send('GET', '/activity', undefined, `ghp_${i}`)).status).toBe(401)
    expect((await send('GET', '/activity', undefined, 'ghp_turn')).status).toBe(401)
    const before = github.received.length
    const stopped = await call(`${url}/api/v1/repos/octocat/hello/activity`, {
      token: 'ghp_new',
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' },
    })
    expect(refusal(stopped)).toEqual({ status: 429, code: 'rate_limited' })
    expect(stopped.headers.get('retry-after')).toBe('60')
    expect((await send('GET', '/activity', undefined, 'ghp_known')).status).toBe(200)
    expect(github.received).toHaveLength(before)
  })

  it.each([
    ['ends in a client behind a trusted proxy', '203.0.113.9, 198.51.100.7', true],
    ['has a port', '203.0.113.9, [2001:db8::7]:4711', true],
    ['names the address of the guesser', '203.0.113.8, 198.51.100.6', false],
    ['begins with another address, as anybody can write', '198.51.100.9, 198.51.100.6', false],
    ['comes through two trusted proxies', '198.51.100.6, 10.1.2.3', false],
    ['has no address', 'nonsense', true],
  ])('is distinguished by an X-Forwarded-For of a trusted proxy that %s', async (_what, forwarded, isOther) => {
    const trustedProxies = ['127.0.0.1', '10.0.0.0/8']
    const { url, respond } = await service({
      trustedProxies,
      limits: { unknownTokenSlot, rejectedTokensPerMinute: 1 },
    })
    const status = async (token: string, address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (await call(`${url}/api/v1/repos/octocat/hello/activity`, { token, headers })).status
    }
    respond(rejected)
    expect(await status('ghp_guess', '198.51.100.6')).toBe(401)
    expect(await status('ghp_turn', '198.51.100.6')).toBe(401)
    expect(await status('ghp_new', forwarded)).toBe(isOther ? 401 : 429)
  })
})

describe('records', () => {
  const titles = async (setup: Pick<Awaited<ReturnType<typeof service>>, 'send'>, name: string) => {
    const { status, body } = await setup.send('GET', '/activity', undefined, 'ghp_secret', name)
    expect(status).toBe(200)
    return JSON.stringify(body).match(/"title":"[^"]*"/g)?.length ?? 0
  }

  it('follow a rename, and a new repository under the old name has no records', async () => {
    const setup = await service({ permissionCacheMs: 0 })
    expect((await setup.send('POST', '/activity', activity)).status).toBe(201)
    const moved = visible({ id: setup.id, full_name: 'octocat/renamed' })
    setup.respond(({ url }) =>
      url === `/repositories/${setup.id}` || url === '/repos/octocat/renamed'
        ? moved
        : { status: 301, headers: { Location: `/repositories/${setup.id}` }, body: {} },
    )
    expect(await titles(setup, 'octocat/hello')).toBe(1)
    expect(await titles(setup, 'octocat/renamed')).toBe(1)
    setup.respond(({ url }) => (url === '/repos/octocat/hello' ? visible({ id: ++repositoryIds }) : moved))
    expect(await titles(setup, 'octocat/hello')).toBe(0)
    expect(await titles(setup, 'octocat/renamed')).toBe(1)
  })

  it('are found in any case of the name', async () => {
    const setup = await service()
    await setup.send('POST', '/activity', activity)
    expect(await titles(setup, 'OctoCat/HELLO')).toBe(1)
    expect(setup.github.received).toHaveLength(1)
  })
})

describe('a link into another repository', () => {
  const linked = { ...activity, pr_url: 'https://github.com/acme/other/pull/7' }
  const other = (setup: AccessSetup, id: number, reply: Parameters<AccessSetup['respond']>[0]) =>
    setup.respond(async (request) =>
      request.url !== '/repos/acme/other'
        ? visible({ id })
        : typeof reply === 'function'
          ? await reply(request)
          : reply,
    )

  it.each([
    [visible({ id: 77 }), 77n],
    [invisible, null],
    [sso, null],
  ])('is saved, with an id only if the token sees it: %j', async (reply, id) => {
    const setup = await service()
    other(setup, setup.id, reply)
    expect((await setup.send('POST', '/activity', linked)).status).toBe(201)
    expect(await db.prisma.activity.findMany({ where: { repository_id: setup.id } })).toMatchObject([
      { pr_repository_id: id },
    ])
  })

  it.each([
    [{ status: 500, body: {} }, 503],
    [{ status: 429, body: {} }, 429],
  ])('saves nothing if GitHub gives no result: %j', async (reply, status) => {
    const setup = await service()
    other(setup, setup.id, reply)
    expect((await setup.send('POST', '/activity', linked)).status).toBe(status)
    expect(await db.prisma.activity.count({ where: { repository_id: setup.id } })).toBe(0)
  })
})

it('the log of the service holds neither tokens nor single sign-on URLs', async () => {
  const { send, respond, log } = await service({ limits: { requestMs: 30 } })
  const replies = [
    visible(),
    rejected,
    sso,
    { status: 500, body: { message: 'ghp_secret' } },
    { status: 429, body: {} },
    'never' as const,
  ]
  for (const [index, reply] of replies.entries()) {
    respond(reply)
    for (const [method, path, body] of [...reads, ...writes]) await send(method, path, body, `ghp_secret${index}`)
  }
  expect(log.length).toBeGreaterThan(50)
  expect(JSON.stringify(log)).not.toMatch(/secret|authorization_request/i)
})
