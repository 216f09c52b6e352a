import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import nock from 'nock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { githubApiUrl } from '../support/github.ts'
import { addRepository } from '../support/github-server/data.ts'
import { type GithubServer, startGithubServer } from '../support/github-server.ts'
import { behindShell, runService, startServiceProcess } from '../support/process.ts'
import { clientOf, startTestService, work } from '../support/service.ts'

let github: GithubServer
let database: Awaited<ReturnType<typeof createDatabase>>
let environment: Record<string, string>
let at: string
const token = 'ghp_secrettoken7731'
beforeAll(async () => {
  github = await startGithubServer()
  database = await createDatabase()
  const { owner, name } = addRepository(github.data, { owner: 'acme7731', name: 'shop7731', roles: { alice: 'write' } })
  github.data.tokens.set(token, 'alice')
  at = `/api/v1/repos/${owner}/${name}`
  environment = { DATABASE_URL: database.url, GITHUB_API_URL: github.url, GITHUB_SERVER_URL: 'https://github.com' }
})
afterAll(async () => {
  await github.stop()
  await database.drop()
})

const headers = { authorization: `Bearer ${token}` }
const jsonOf = (output: string) =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))

it('§15 a wrong variable ends the start with 1 and one line each', async () => {
  const { ended, output } = runService({ PORT: 'x7731', LOG_LEVEL: 'x7731' })
  expect((await ended).code).toBe(1)
  expect(output()).toMatch(/^Headsup can not start:\nPORT must .*\nLOG_LEVEL must .*\n$/)
  expect(output()).not.toContain('7731')
})

it('§15 .env in the working directory never overrides the environment, and SIGHUP stops as SIGTERM does', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-dotenv-'))
  await writeFile(join(directory, '.env'), `HEADSUP_PUBLIC_URL=https://file.example\nMETRICS_PORT=x\nHEADSUP_ODD=1\n`)
  const service = await startServiceProcess({ ...environment, METRICS_PORT: '0' }, directory)
  service.child.kill('SIGHUP')
  expect((await service.ended).code).toBe(0)
  const lines = service
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'listening', url: 'https://file.example' }))
  expect(lines).toContainEqual(expect.objectContaining({ variable: 'HEADSUP_ODD' }))
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'stopping', signal: 'SIGHUP' }))
  await rm(directory, { recursive: true })
})

it('§15 a port that is taken ends the start with a sentence', async () => {
  const port = new URL(github.url).port
  for (const variable of ['PORT', 'METRICS_PORT']) {
    const sentence = new RegExp(`^can not listen on 127.0.0.1, port ${port} \\(${variable}\\): .*EADDRINUSE`)
    await expect(startTestService({ ...environment, [variable]: port })).rejects.toThrow(sentence)
  }
})

it('§7 no line of the log holds a token or what callers sent', async () => {
  const service = await startServiceProcess({ ...environment, LOG_LEVEL: 'trace' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  const secret = { title: 'Title7731', summary: 'Summary7731', actor: 'Actor7731', scope: { paths: ['src/path7731'] } }
  const create = { method: 'POST', body: JSON.stringify({ ...secret, branch: 'branch7731' }) }
  const made = await ask(`${at}/activity`, create)
  expect(made.status).toBe(201)
  await ask(`${at}/activity?branch=branch7731`)
  await ask(`${at}/activity/check`, { method: 'POST', body: '{"title": "Title7731"' })
  await ask('/nothing/7731/deeper?q=7731')
  await ask(`${at}/activity`, { headers: { authorization: 'Bearer ghp_wrong7731' } })
  await ask(`${at}/activity`, { ...create, headers: { 'idempotency-key': 'key7731' } })
  const mcp = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  await ask('/mcp', { ...create, headers: mcp })
  github.before = (_request, response) => void response.status(502).json({ message: 'body7731' })
  expect((await ask(`${at}/activity`, { headers: { authorization: 'Bearer ghp_other7731' } })).status).toBe(503)
  github.before = (_request, _response, next) => next()
  service.child.kill('SIGTERM')
  await service.ended
  const lines = jsonOf(service.output())
  expect(lines.filter(({ msg }) => msg === 'request').map(({ route, status }) => [route, status])).toEqual([
    ['createActivity', 201],
    ['listActivities', 200],
    ['checkOverlap', 400],
    ['other', 404],
    ['listActivities', 401],
    ['createActivity', 201],
    ['mcp', 400],
    ['listActivities', 503],
  ])
  expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({ code: 'github_unavailable', codes: [502] })
  expect(service.output()).not.toContain('7731')
})

it('§15 SIGTERM: not ready, streams end, requests under way get their answers, all within 20 s', async () => {
  const service = await startServiceProcess({ ...environment, METRICS_PORT: '0' })
  expect((await fetch(`${service.metricsUrl}/readyz`)).status).toBe(200)
  const stream = await fetch(`${service.url}${at}/events`, { headers })
  let release = () => {}
  const isAsked = new Promise<void>((asked) => {
    github.before = (_request, _response, next) => {
      release = next
      asked()
    }
  })
  github.data.tokens.set('ghp_slow', 'alice')
  const underWay = new Promise<{ status: number | undefined; connection: string | undefined }>((done, fail) => {
    const options = { headers: { authorization: 'Bearer ghp_slow', connection: 'keep-alive' } }
    request(`${service.url}${at}/activity`, options, (response) => {
      response.resume()
      done({ status: response.statusCode, connection: response.headers.connection })
    })
      .once('error', fail)
      .end()
  })
  await isAsked
  github.before = (_request, _response, next) => next()
  // Browsers open some connections before they need them.
  const unused = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(unused, 'connect')

  service.child.kill('SIGTERM')
  await once(unused.resume(), 'close')
  expect(await stream.text()).toMatch(/^retry: /)
  const notReady = await fetch(`${service.metricsUrl}/readyz`)
  expect([notReady.status, await notReady.json()]).toEqual([503, { status: 'unavailable' }])
  expect((await fetch(`${service.metricsUrl}/healthz`)).status).toBe(200)
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
  release()
  expect(await underWay).toEqual({ status: 200, connection: 'close' })
  expect((await service.ended).code).toBe(0)
})

it('§15 while the database is away, requests are 503 without a word of it, and it is not ready', async () => {
  const url = new URL(database.url)
  const sockets = new Set<Socket>()
  const way = createServer((socket) => {
    const onward = connect(Number(url.port), url.hostname)
    pipeline(socket, onward, socket).catch(() => {})
    sockets.add(socket)
  })
  const isOpen = () => once(way.listen(Number(new URL(through).port) || 0, '127.0.0.1'), 'listening')
  let through = 'http://way'
  await isOpen()
  through = Object.assign(new URL(url), { host: `127.0.0.1:${(way.address() as AddressInfo).port}` }).href
  const service = await startTestService({ DATABASE_URL: through })
  const client = clientOf(service)
  expect((await client.get('/activity')).status).toBe(200)
  way.close()
  for (const socket of sockets) socket.destroy()
  const { status, headers: answered, body } = await client.get('/activity')
  expect([status, body.error.code]).toEqual([503, 'unavailable'])
  expect(Number(answered.get('retry-after'))).toBeGreaterThan(0)
  expect(body.error.message).not.toMatch(/postgres|connect|127\.0/i)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await isOpen()
  expect((await client.get('/activity')).status).toBe(200)
  await service.stop()
  way.close()
})

it('§15 lifetimes are those of the variables', async () => {
  const lifetimes = { HEADSUP_ACTIVITY_TTL_MS: '60000', HEADSUP_NOTABLE_TTL_MS: '120000', HEADSUP_RETENTION_MS: '1' }
  const service = await startTestService({ DATABASE_URL: database.url, ...lifetimes })
  const client = clientOf(service)
  const { activity } = (await client.post('/activity', work)).body
  const notable = { title: 'Note', summary: 'x', importance: 'low', category: 'process' }
  const made = [activity, (await client.post('/notables', notable)).body]
  const lived = made.map(({ created_at, expires_at }) => Date.parse(expires_at) - Date.parse(created_at))
  expect(lived).toEqual([60_000, 120_000])
  await client.post(`/activity/${activity.id}/archive`)
  await expect.poll(async () => (await client.get(`/activity/${activity.id}`)).status).toBe(404)
  await service.stop()
})

it('§15 ends with the shell of `npm start`, which passes no signal on', async () => {
  const service = await startServiceProcess({ ...environment, npm_lifecycle_event: 'start' }, undefined, behindShell)
  service.child.kill('SIGTERM')
  await service.ended
  expect(service.output()).toContain('"stopping"')
})

it('§7 addresses behind proxies count only by HEADSUP_TRUSTED_PROXIES', async () => {
  const database = await createDatabase()
  for (const trusted of ['', '127.0.0.1, 10.0.0.0/8']) {
    const service = await startTestService({ DATABASE_URL: database.url, HEADSUP_TRUSTED_PROXIES: trusted })
    const client = clientOf(service)
    nock(githubApiUrl).get('/repos/acme/wrong').times(20).reply(401, {})
    const first = (index: number) => ({
      authorization: `Bearer ghp_wrong${index}`,
      'x-forwarded-for': '203.0.113.9, 10.1.1.1',
    })
    for (let index = 0; index < 20; index++)
      await fetch(`${service.url}/api/v1/repos/acme/wrong/activity`, { headers: first(index) })
    const other = await client.get('/activity', { 'x-forwarded-for': '203.0.113.8, 10.1.1.1' })
    expect([trusted, other.status]).toEqual([trusted, trusted === '' ? 429 : 200])
    const same = clientOf(service)
    expect((await same.get('/activity', { 'x-forwarded-for': '203.0.113.9, 10.1.1.1' })).status).toBe(429)
    nock.cleanAll()
    await service.stop()
  }
  await database.drop()
})

it('§7 records belong to GitHub’s id: a new repository under an old name starts empty', async () => {
  const service = await startTestService()
  const old = clientOf(service)
  const made = await old.post('/activity', work)
  const next = clientOf(service, { repository: { ...old.repository, id: old.repository.id + 500_000 } })
  expect((await next.get('/activity')).body.items).toEqual([])
  const missing = await next.get(`/activity/${made.body.activity.id}`)
  nock.cleanAll()
  nock(githubApiUrl).get(`/repos/acme/${old.repository.name}-2`).reply(404)
  const hidden = await fetch(`${service.url}/api/v1/repos/acme/${old.repository.name}-2/activity`, {
    headers: { authorization: `Bearer ${old.token}` },
  })
  const { request_id: _one, ...ofMissing } = missing.body.error
  const { request_id: _two, ...ofHidden } = ((await hidden.json()) as { error: Record<string, string> }).error
  expect([hidden.status, ofHidden]).toEqual([missing.status, ofMissing])
  await service.stop()
})
