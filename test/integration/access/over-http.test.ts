import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { createDatabase, type Database } from '../../../src/db/database.ts'
import { newId } from '../../../src/lib/ids.ts'
import { mergeSettings } from '../../../src/settings/effective.ts'
import { call, errorOf, refusal } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { accessWorld, noPush, refused, seen, unseen, type World } from '../../unit/github/access/access-setup.ts'

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

let database: { url: string; drop(): Promise<void> }
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDatabase(database.url, { log: silentLog })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

let repositoryIds = 1_000

/** The service before a GitHub that answers as the test says; what both log is in `world.log`. */
async function service(options: Parameters<typeof accessWorld>[0] = {}) {
  const world = await accessWorld(options)
  const id = ++repositoryIds
  world.answers(seen({ id }))
  const line = (level: string) => (fields: object, message: string) => void world.log.push({ level, fields, message })
  const app = createApp({
    db,
    access: world.access,
    settingsOf: async () => ({ ...mergeSettings({}, {}), file: null, problems: [] }),
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    now: () => new Date(),
    retentionMs: 86_400_000,
    githubServerUrl: 'https://github.com',
    isStopping: () => false,
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (method: string, path: string, body?: unknown, token = 'ghp_secret', name = 'octocat/hello') =>
    call(`${url}/api/v1/repos/${name}${path}`, { method, token, ...(body === undefined ? {} : { body }) })
  return { ...world, id, url, ask }
}

/** A request whose path and headers go out as they are. */
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
  it.each([...reads, ...writes])('%s %s shows a stranger nothing but a missing record', async (method, path, body) => {
    const { ask, answers } = await service()
    const missing = await ask('GET', `/activity/${newId('act')}`)
    answers(unseen)
    const invisible = await ask(method, path, body, 'ghp_stranger')
    expect(refusal(invisible)).toEqual({ status: 404, code: 'not_found' })
    const { request_id: _, ...said } = errorOf(invisible)
    const { request_id: __, ...saidOfMissing } = errorOf(missing)
    expect(said).toEqual(saidOfMissing)
  })

  it.each(reads)('%s %s is for readers', async (method, path, body) => {
    const { ask, answers, id, github } = await service()
    answers(seen({ id, permissions: noPush }))
    expect([200, 404]).toContain((await ask(method, path, body)).status)
    expect((await ask(method, path, body, 'ghs_installation')).status).not.toBe(403)
    expect(github.asked).toEqual(Array(2).fill('GET /repos/octocat/hello'))
  })

  it.each(writes)('%s %s is not for readers', async (method, path, body) => {
    const { ask, answers, id } = await service()
    answers(seen({ id, permissions: noPush }))
    expect(refusal(await ask(method, path, body))).toEqual({ status: 403, code: 'forbidden' })
  })

  it.each([...reads, ...writes])('%s %s wants a token, and one that GitHub takes', async (method, path, body) => {
    const { url, ask, answers } = await service()
    const none = await call(`${url}/api/v1/repos/octocat/hello${path}`, { method, ...(body ? { body } : {}) })
    expect(refusal(none)).toEqual({ status: 401, code: 'unauthenticated' })
    answers(refused)
    const bad = await ask(method, path, body)
    expect(refusal(bad)).toEqual({ status: 401, code: 'invalid_token' })
    expect([none, bad].map(({ headers }) => headers.get('www-authenticate'))).toEqual(['Bearer', 'Bearer'])
  })

  it.each([...reads, ...writes])('%s %s lets nobody in when GitHub fails', async (method, path, body) => {
    const { ask, answers } = await service()
    answers({ status: 500, body: {} })
    const answer = await ask(method, path, body)
    expect(refusal(answer)).toEqual({ status: 503, code: 'github_unavailable' })
    expect(answer.headers.get('retry-after')).toBe('10')
  })
})

describe('a caller', () => {
  it.each(['Basic Z2hwX3NlY3JldA==', 'token ghp_secret', 'Bearer', 'Bearer '])(
    'who sends %j has sent no token',
    async (sent) => {
      const { url, github } = await service()
      const answer = await call(`${url}/api/v1/repos/octocat/hello/activity`, { headers: { authorization: sent } })
      expect(refusal(answer)).toEqual({ status: 401, code: 'unauthenticated' })
      expect(github.asked).toEqual([])
    },
  )

  it('is sent to single sign-on', async () => {
    const { ask, answers } = await service()
    answers(sso)
    const answer = await ask('GET', '/activity')
    expect(refusal(answer)).toEqual({ status: 403, code: 'sso_required' })
    expect(answer.headers.get('x-github-sso')).toBe(`required; url=${ssoUrl}`)
  })

  it('is told when the rate limit at GitHub ends', async () => {
    const { ask, answers } = await service()
    answers({ status: 429, headers: { 'Retry-After': '17' }, body: {} })
    const answer = await ask('GET', '/activity')
    expect(refusal(answer)).toEqual({ status: 429, code: 'github_rate_limited' })
    expect(answer.headers.get('retry-after')).toBe('17')
  })

  it.each([
    '/repos/octocat/%2e%2e',
    '/repos/octocat/..%2fuser',
    '/repos/%2e%2e/user',
    '/repos/octocat/%00',
    '/repos/octo.cat/x',
  ])('gets nowhere by %s', async (path) => {
    const { url, github } = await service()
    expect(await raw(url, `/api/v1${path}/activity`, { authorization: 'Bearer ghp_secret' })).toBe(404)
    expect(github.asked).toEqual([])
  })

  it.each(['Bearer gh\xe9', 'Bearer a b', `Bearer ${'x'.repeat(10_240)}`, 'Bearer a\tb'])(
    'with the odd token %j is refused unasked',
    async (authorization) => {
      const { url, github } = await service()
      expect(await raw(url, '/api/v1/repos/octocat/hello/activity', { authorization })).toBe(401)
      expect(github.asked).toEqual([])
    },
  )

  it('whose address sent 20 bad tokens is stopped, whatever it says of its address, and others of it are not', async () => {
    const { url, ask, answers, github } = await service()
    expect((await ask('GET', '/activity', undefined, 'ghp_known')).status).toBe(200)
    answers(refused)
    for (let i = 0; i < 20; i++) expect((await ask('GET', '/activity', undefined, `ghp_${i}`)).status).toBe(401)
    const asked = github.asked.length
    const stopped = await call(`${url}/api/v1/repos/octocat/hello/activity`, {
      token: 'ghp_new',
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' },
    })
    expect(refusal(stopped)).toEqual({ status: 429, code: 'rate_limited' })
    expect(stopped.headers.get('retry-after')).toBe('60')
    expect((await ask('GET', '/activity', undefined, 'ghp_known')).status).toBe(200)
    expect(github.asked).toHaveLength(asked)
  })
})

describe('records', () => {
  const titles = async (world: Pick<Awaited<ReturnType<typeof service>>, 'ask'>, name: string) => {
    const { status, body } = await world.ask('GET', '/activity', undefined, 'ghp_secret', name)
    expect(status).toBe(200)
    return JSON.stringify(body).match(/"title":"[^"]*"/g)?.length ?? 0
  }

  it('follow a rename, and a new repository under the old name starts empty', async () => {
    const world = await service({ permissionCacheMs: 0 })
    expect((await world.ask('POST', '/activity', activity)).status).toBe(201)
    const moved = seen({ id: world.id, full_name: 'octocat/renamed' })
    world.answers(({ url }) =>
      url === `/repositories/${world.id}` || url === '/repos/octocat/renamed'
        ? moved
        : { status: 301, headers: { Location: `/repositories/${world.id}` }, body: {} },
    )
    expect(await titles(world, 'octocat/hello')).toBe(1)
    expect(await titles(world, 'octocat/renamed')).toBe(1)
    world.answers(({ url }) => (url === '/repos/octocat/hello' ? seen({ id: ++repositoryIds }) : moved))
    expect(await titles(world, 'octocat/hello')).toBe(0)
    expect(await titles(world, 'octocat/renamed')).toBe(1)
  })

  it('are found in whatever case the name is written', async () => {
    const world = await service()
    await world.ask('POST', '/activity', activity)
    expect(await titles(world, 'OctoCat/HELLO')).toBe(1)
    expect(world.github.asked).toHaveLength(1)
  })
})

describe('a link into another repository', () => {
  const linked = { ...activity, pr_url: 'https://github.com/acme/other/pull/7' }
  const other = (world: World, id: number, reply: Parameters<World['answers']>[0]) =>
    world.answers(async (request) =>
      request.url !== '/repos/acme/other' ? seen({ id }) : typeof reply === 'function' ? await reply(request) : reply,
    )

  it.each([
    [seen({ id: 77 }), 77n],
    [unseen, null],
    [sso, null],
  ])('is kept, with an id only where the token sees it: %j', async (reply, id) => {
    const world = await service()
    other(world, world.id, reply)
    expect((await world.ask('POST', '/activity', linked)).status).toBe(201)
    expect(await db.prisma.activity.findMany({ where: { repository_id: world.id } })).toMatchObject([
      { pr_repository_id: id },
    ])
  })

  it.each([
    [{ status: 500, body: {} }, 503],
    [{ status: 429, body: {} }, 429],
  ])('saves nothing where GitHub does not say: %j', async (reply, status) => {
    const world = await service()
    other(world, world.id, reply)
    expect((await world.ask('POST', '/activity', linked)).status).toBe(status)
    expect(await db.prisma.activity.count({ where: { repository_id: world.id } })).toBe(0)
  })
})

it('the log of the whole service tells neither tokens nor single sign-on URLs', async () => {
  const { ask, answers, log } = await service({ limits: { questionMs: 100 } })
  const replies = [
    seen(),
    refused,
    sso,
    { status: 500, body: { message: 'ghp_secret' } },
    { status: 429, body: {} },
    'never' as const,
  ]
  for (const [index, reply] of replies.entries()) {
    answers(reply)
    for (const [method, path, body] of [...reads, ...writes]) await ask(method, path, body, `ghp_secret${index}`)
  }
  expect(log.length).toBeGreaterThan(50)
  expect(JSON.stringify(log)).not.toMatch(/secret|authorization_request/i)
})
